"""Tables into answers: pure functions over frames."""
