"""What every method of a writer stands on: values in, the way into the file, threads, forks and the end."""
