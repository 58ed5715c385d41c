package dev.flowstone.server.deploy;

import java.util.List;

/**
 * What a folder says.
 *
 * @param pieces in the order in which they are made: what is called before what calls it
 * @param flaws of all files; if one is an error, nothing is deployed
 * @param circles the names of workflows that call each other
 */
public record Contents(List<Piece> pieces, List<Flaw> flaws, List<List<String>> circles) {
    public Contents {
        pieces = List.copyOf(pieces);
        flaws = List.copyOf(flaws);
        circles = circles.stream().map(List::copyOf).toList();
    }

    public boolean hasErrors() {
        return flaws.stream().anyMatch(Flaw::isError);
    }
}
