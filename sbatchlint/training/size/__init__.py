"""How much memory a model needs, and the layouts in which it fits."""
