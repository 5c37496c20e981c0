"""Small programs that speak the words of older skills; shipped as they are, to be copied beside a skill."""
