"""What the user asked for, apart from the files to look at."""
