"""What `./dev release` makes: archives, hashed requirements, a bill of materials, check sums."""
