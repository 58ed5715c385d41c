package dev.flowstone.kernel.state;

import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import org.jspecify.annotations.Nullable;

/**
 * The answer that settled an activation, so that the same answer, sent again, is known as such (R12). Held as it came
 * while it is new, by its digest later and in snapshots.
 */
public final class RecordedAnswer {
    private final @Nullable TaskAnswer answer;
    private final @Nullable Sha256 digest;

    private RecordedAnswer(@Nullable TaskAnswer answer, @Nullable Sha256 digest) {
        this.answer = answer;
        this.digest = digest;
    }

    static RecordedAnswer of(TaskAnswer answer) {
        return new RecordedAnswer(answer, null);
    }

    static RecordedAnswer of(Sha256 digest) {
        return new RecordedAnswer(null, digest);
    }

    RecordedAnswer condensed() {
        return answer == null ? this : of(digest());
    }

    Sha256 digest() {
        if (digest != null) {
            return digest;
        }
        if (answer == null) {
            throw new IllegalStateException("an answer or its digest is there");
        }
        return digest(answer);
    }

    /** Whether this is the same answer; when to try again ({@code retryAfter}) doesn't count. */
    public boolean matches(TaskAnswer other) {
        return digest().equals(digest(other));
    }

    private static Sha256 digest(TaskAnswer answer) {
        JsonObject.Builder form =
                JsonObject.builder().put("kind", answer.getClass().getSimpleName());
        switch (answer) {
            case TaskAnswer.Ok ok -> payload(form, ok.output());
            case TaskAnswer.Skipped skipped -> form.put("reason", skipped.reason());
            case TaskAnswer.Failed failed ->
                form.put("failure", failed.failure().name())
                        .put("code", failed.error().code())
                        .put("message", failed.error().message())
                        .put("details", failed.error().details());
            case TaskAnswer.TimedOut _, TaskAnswer.Lost _, TaskAnswer.Returned _ -> {}
        }
        return Sha256.digest(CanonicalJson.exact(form.build()));
    }

    private static void payload(JsonObject.Builder form, Payload payload) {
        switch (payload) {
            case Payload.Inline inline -> form.put("inline", inline.value());
            case Payload.Stored stored -> form.put("stored", stored.hash().toString());
        }
    }
}
