"""What a table did and brought, beside what its odds say: pure computation over rounds and events. No I/O here."""
