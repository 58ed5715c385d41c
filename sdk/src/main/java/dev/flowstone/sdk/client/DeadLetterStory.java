package dev.flowstone.sdk.client;

import java.time.Instant;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * A dead letter with all that is known of it.
 *
 * @param queue what the place is called
 * @param payload what it says
 * @param deeds what people have done to it
 */
public record DeadLetterStory(DeadLetter letter, String queue, JsonNode payload, List<Deed> deeds) {
    public DeadLetterStory {
        deeds = List.copyOf(deeds);
    }

    /** Something that somebody has done to it. */
    public record Deed(String deed, Instant at, String actor, String comment) {
        static Deed read(Tree tree) {
            return new Deed(tree.text("deed"), tree.time("at"), tree.textOrEmpty("actor"), tree.textOrEmpty("comment"));
        }
    }

    static DeadLetterStory read(Tree tree) {
        return new DeadLetterStory(
                DeadLetter.read(tree), tree.textOrEmpty("queue"), tree.json("payload"), tree.list("deeds", Deed::read));
    }
}
