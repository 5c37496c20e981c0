"""The door for harnesses' hooks: one small program that never hurts its host."""
