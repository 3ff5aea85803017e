"""The built-in rules, installed as ``sbatchlint_rules``: one folder per family, one file per rule."""
