"""The shape of a transformer, and how many parameters it has."""

from __future__ import annotations

from sbatchlint.records import dataclass

_GATED, _PLAIN = 3, 2
"""Matrices of a feed-forward block: with a gate (SwiGLU) and without."""


@dataclass(frozen=True, slots=True)
class Latent:
    """The widths of multi-head latent attention (MLA)."""

    q_lora_rank: int
    """0 where queries are projected directly."""
    kv_lora_rank: int
    qk_nope_head_dim: int
    qk_rope_head_dim: int
    v_head_dim: int


@dataclass(frozen=True, slots=True)
class Architecture:
    """The sizes that the number of parameters hangs on; norms, biases and MTP layers are left out.

    Vision towers are left out too.  The formulas are those of Megatron-LM's
    ``megatron/training/theoretical_memory_usage.py`` (@d98e8a64).
    """

    num_layers: int
    hidden_size: int
    num_attention_heads: int
    num_query_groups: int
    vocab_size: int = 0
    ffn_hidden_size: int = 0
    head_dim: int = 0
    """0: hidden size / heads."""
    num_experts: int = 0
    experts_per_token: int = 0
    moe_ffn_hidden_size: int = 0
    shared_expert_ffn: int = 0
    dense_layers: int = 0
    """Layers without experts, in a model that has some."""
    mla: Latent | None = None
    tied: bool = False
    """True where the output layer is the embedding."""
    gated: bool = True

    @property
    def moe_layers(self) -> int:
        """Layers that have experts."""
        return self.num_layers - self.dense_layers if self.num_experts else 0

    @property
    def head_size(self) -> int:
        """The width of one attention head."""
        return self.head_dim or self.hidden_size // self.num_attention_heads

    @property
    def attention(self) -> int:
        """Parameters of the attention of a layer."""
        hidden, heads = self.hidden_size, self.num_attention_heads
        if self.mla is None:
            return 2 * hidden * self.head_size * (heads + self.num_query_groups)
        mla = self.mla
        query = heads * (mla.qk_nope_head_dim + mla.qk_rope_head_dim)
        queries = mla.q_lora_rank * (hidden + query) if mla.q_lora_rank else hidden * query
        keys = mla.kv_lora_rank * (hidden + heads * (mla.qk_nope_head_dim + mla.v_head_dim))
        return queries + keys + hidden * mla.qk_rope_head_dim + heads * mla.v_head_dim * hidden

    @property
    def expert(self) -> int:
        """Parameters of one expert in one layer."""
        return self._feed_forward(self.moe_ffn_hidden_size)

    @property
    def embedding(self) -> int:
        """Parameters of the embedding; the output layer has as many again, if it is not tied to it."""
        return self.vocab_size * self.hidden_size

    @property
    def embeddings(self) -> int:
        """Parameters of embedding and output layer."""
        return self.embedding if self.tied else 2 * self.embedding

    @property
    def sharded(self) -> int:
        """Parameters of all layers that TP divides: attention, dense feed-forward, shared experts."""
        dense = self.num_layers - self.moe_layers
        shared = self.moe_layers * self._feed_forward(self.shared_expert_ffn)
        return self.num_layers * self.attention + dense * self._feed_forward(self.ffn_hidden_size) + shared

    @property
    def routers(self) -> int:
        """Parameters of all routers: each TP rank has them whole."""
        return self.moe_layers * self.num_experts * self.hidden_size

    @property
    def routed(self) -> int:
        """Parameters of all experts that a router chooses from."""
        return self.moe_layers * self.num_experts * self.expert

    @property
    def total(self) -> int:
        """All parameters."""
        return self.sharded + self.routers + self.routed + self.embeddings

    @property
    def active(self) -> int:
        """The parameters that one token meets."""
        return self.total - self.routed + self.moe_layers * self.experts_per_token * self.expert

    @property
    def cache_per_token(self) -> int:
        """Numbers in the KV cache for one token, in all layers."""
        if self.mla is not None:
            return self.num_layers * (self.mla.kv_lora_rank + self.mla.qk_rope_head_dim)
        return 2 * self.num_layers * self.num_query_groups * self.head_size

    def _feed_forward(self, width: int) -> int:
        return (_GATED if self.gated else _PLAIN) * self.hidden_size * width
