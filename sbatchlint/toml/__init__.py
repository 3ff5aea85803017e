"""TOML files that people write, read into models, with each mistake at its place in the text."""
