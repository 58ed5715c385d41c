package dev.flowstone.testkit.scenario.step;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.read.EditWindow;
import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Members;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * {@code edit: {sets: {…}}}: somebody who is no run edits what the run is about, as an application does. It must be accepted,
 * unless the step says with which code it is {@code refused}.
 *
 * @param sets the fields that are edited, with their new values; null takes one away
 * @param seen the version that was edited; else the present one
 * @param tighten how the subject may be edited from now on, until the run has heard of this
 */
public record Edit(JsonObject sets, Optional<Long> seen, Optional<EditWindow> tighten, Optional<String> refused)
        implements Step {
    private static final List<String> MODES = List.of("editable", "amend_only", "locked");

    public Edit {
        requireNonNull(sets);
        requireNonNull(seen);
        requireNonNull(tighten);
        requireNonNull(refused);
    }

    static Optional<Step> read(Cursor value) {
        Members at = value.members(List.of("sets", "seen", "tighten", "refused"));
        Optional<Cursor> sets = at.need("sets");
        if (sets.isEmpty()) {
            return Optional.empty();
        }
        if (!(sets.get().value() instanceof JsonObject fields)) {
            sets.get().expected("an object");
            return Optional.empty();
        }
        return Optional.of(new Edit(
                fields,
                at.find("seen").flatMap(Cursor::count).map(Integer::longValue),
                at.find("tighten")
                        .flatMap(it -> it.word(MODES))
                        .map(word -> EditWindow.of(EditWindow.Mode.valueOf(word.toUpperCase(Locale.ROOT)))),
                at.find("refused").flatMap(Cursor::text)));
    }

    @Override
    public void perform(Stage stage) throws StepException {
        Ask.judge(stage.edit(this), refused);
    }
}
