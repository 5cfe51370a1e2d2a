-- why: the lock of an account against guesses does not hold where its owner has used it, so that a stranger cannot lock the owner out.
-- An IPv4 address, or the first 64 bits of an IPv6 address, as of the last sign-in or refresh; null for sessions from before.

alter table refresh_families add column client_key text;
