"""What a job needs from outside its script: credentials, services, images, files."""
