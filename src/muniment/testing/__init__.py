"""Public fakes for tests of muniment and of programs that use it."""
