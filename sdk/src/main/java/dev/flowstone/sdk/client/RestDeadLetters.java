package dev.flowstone.sdk.client;

import static dev.flowstone.sdk.client.Call.segment;
import static java.util.Objects.requireNonNull;

import dev.flowstone.sdk.client.Call.Repeat;
import java.util.Optional;

/** Dead letters over REST. */
final class RestDeadLetters implements DeadLetters {
    private static final String ROOT = "/api/v1/dead-letters";

    private final Caller caller;

    RestDeadLetters(Caller caller) {
        this.caller = requireNonNull(caller);
    }

    private static String path(String id) {
        return ROOT + "/" + segment(id);
    }

    @Override
    public Listing<DeadLetter> list(DeadLetterFilter filter) {
        return new RestListing<>(caller, ROOT, filter.query(), DeadLetter::read);
    }

    @Override
    public DeadLetterStory get(String id) {
        return caller.read(Call.get(path(id)), DeadLetterStory::read);
    }

    @Override
    public void requeue(String id, String comment) {
        // Once it is tried again it may be taken up, and isn't there any more.
        caller.call(Call.post(path(id) + "/requeue")
                .with(new Body().put("comment", comment).json())
                .repeating(Repeat.FINDS_NOTHING));
    }

    @Override
    public void discard(String id, String comment) {
        caller.call(Call.delete(
                new Call.Query().add("comment", Optional.of(comment)).on(path(id))));
    }

    @Override
    public Swept requeueAll(DeadLetterFilter which, int limit, String comment) {
        return sweep("requeue", "requeued", which, limit, comment);
    }

    @Override
    public Swept discardAll(DeadLetterFilter which, int limit, String comment) {
        return sweep("purge", "purged", which, limit, comment);
    }

    private Swept sweep(String what, String done, DeadLetterFilter which, int limit, String comment) {
        Body body = which.body().put("limit", Optional.of(limit)).put("comment", comment);
        return caller.read(
                Call.post(ROOT + "/" + what).with(body.json()), tree -> new Swept(tree.count(done), tree.flag("more")));
    }
}
