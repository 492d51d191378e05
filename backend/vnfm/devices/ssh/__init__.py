"""SSH command lines, on asyncssh."""
