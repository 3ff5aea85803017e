"""What the finder gives: the place of a secret and what kind it is, without the secret itself."""

from __future__ import annotations

from enum import Enum

from sbatchlint.certainty import Certainty
from sbatchlint.records import dataclass
from sbatchlint.secrets.providers import TITLES
from sbatchlint.source import Span


class Kind(Enum):
    """What gave the secret away."""

    FORMAT = "format"
    """The provider's own format: prefix, length and alphabet, and the checksum where there is one."""
    NAMED = "named"
    """A provider's variable or command with a value of the length and alphabet that it takes."""
    PRIVATE_KEY = "private-key"
    """A PEM block with key material in it."""
    URL = "url"
    """A password or token before the ``@`` of a URL, or in the signature of one."""
    HEADER = "header"
    """The value of an HTTP ``Authorization`` header, or of curl's ``-u``."""
    GENERIC = "generic"
    """A name that says secret, with a value that looks random."""


@dataclass(frozen=True, slots=True)
class Secret:
    """One secret of a script.  It holds no text of the script but *name*, so any of it may be shown."""

    span: Span
    """The value alone, without quotes; a private key from its first line to its last."""
    kind: Kind
    provider: str
    """A key of :data:`~sbatchlint.secrets.providers.TITLES`; ``generic`` when nothing tells."""
    name: str
    """The variable, option or key that holds it; empty when there is none."""
    confidence: Certainty
    """KNOWN when the format tells; ASSUMED when only the name and the look of the value do."""

    @property
    def title(self) -> str:
        """What it is, as words for a message: ``Hugging Face token``."""
        return TITLES[self.provider]

    @property
    def is_certain(self) -> bool:
        """Whether the format tells, and not only the name and the look of the value."""
        return self.confidence is Certainty.KNOWN
