package dev.flowstone.kernel.event;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.Sha256;

/**
 * One canonical workflow event: header, number, links of the chain, body. Its id is {@code run/sequence}.
 *
 * @param sequence from 1, without a gap
 * @param hash SHA-256 over the previous hash, the stored header and the stored body, as {@link JournalEntry} defines
 */
public record Event(EventHeader header, long sequence, Sha256 previousHash, Sha256 hash, EventBody body) {
    public Event {
        requireNonNull(header);
        requireNonNull(previousHash);
        requireNonNull(hash);
        requireNonNull(body);
    }

    public String id() {
        return header.run() + "/" + sequence;
    }
}
