"""What the user asked for, apart from the files to look at.

The commands ask ``sbatchlint.cli.configuring.settings_for(path, ...)``.
"""
