package dev.flowstone.sdk.client;

import static java.util.Objects.requireNonNull;

/** Health over HTTP. */
final class RestHealth implements Health {
    private final Caller caller;

    RestHealth(Caller caller) {
        this.caller = requireNonNull(caller);
    }

    @Override
    public boolean isLive() {
        return says("/health/live", "live");
    }

    @Override
    public boolean isReady() {
        return says("/health/ready", "ready");
    }

    private boolean says(String path, String word) {
        try {
            return caller.once()
                    .read(Call.get(path), tree -> tree.textOrEmpty("status").equals(word));
        } catch (RefusedException | UnreachableException | UnreadableAnswerException e) {
            return false;
        }
    }

    @Override
    public Vitals vitals() {
        return caller.read(Call.get("/health"), tree -> new Vitals(mark(tree), tree.list("items", RestHealth::vital)));
    }

    private static Vital vital(Tree tree) {
        return new Vital(
                tree.text("item"),
                mark(tree),
                tree.json("value").asDouble(0),
                tree.json("limit").asDouble(0),
                tree.textOrEmpty("detail"),
                tree.textOrEmpty("advice"));
    }

    private static Mark mark(Tree tree) {
        return tree.word("status", Mark.class, Mark.UNKNOWN);
    }
}
