"""What a job would really start: the abstract evaluation of its script to a launch plan."""
