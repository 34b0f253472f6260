"""What strangers may send: small files that would take all time or memory, and worse."""
