"""What the user asked for, apart from the files to look at.

The commands ask the ``Configuration`` that ``sbatchlint.cli.configuring.configure`` makes.
"""
