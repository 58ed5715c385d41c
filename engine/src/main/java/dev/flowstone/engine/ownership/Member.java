package dev.flowstone.engine.ownership;

/**
 * A node that shares shards with others.
 *
 * @param name by which it holds leases; no two living nodes have the same
 * @param address where its peers reach it, in whatever form they agree on; the engine doesn't read it
 * @param release of the program that runs it
 */
public record Member(String name, String address, String release) {
    /** What a name and an address may have. */
    public static final int MOST_CHARACTERS = 200;

    public Member {
        if (name.isEmpty() || name.length() > MOST_CHARACTERS) {
            throw new IllegalArgumentException("a node's name has 1 to " + MOST_CHARACTERS + " characters");
        }
        if (address.length() > MOST_CHARACTERS || release.length() > MOST_CHARACTERS) {
            throw new IllegalArgumentException(
                    "a node's address and release have at most " + MOST_CHARACTERS + " characters");
        }
    }
}
