package dev.flowstone.kernel.story;

import dev.flowstone.kernel.decision.Kernel;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.kernel.state.RunStatus;
import java.util.ArrayList;
import java.util.List;

/** A run or an aggregate. */
public final class Party {
    final RunId id;
    final Program program;
    final Sha256 hash;
    final List<JournalEntry> entries = new ArrayList<>();
    final List<Event> events = new ArrayList<>();
    RunState state;
    List<EventBody> last = List.of();

    Party(RunId id, Program program, Sha256 hash) {
        this.id = id;
        this.program = program;
        this.hash = hash;
        this.state = Kernel.initial(program, hash);
    }

    public RunId id() {
        return id;
    }

    public Program program() {
        return program;
    }

    public List<JournalEntry> entries() {
        return entries;
    }

    public List<Event> events() {
        return events;
    }

    public RunState state() {
        return state;
    }

    public RunStatus status() {
        return state.status();
    }

    public JsonValue output() {
        return ((Payload.Inline) state.output().orElseThrow(() -> new AssertionError(tale()))).value();
    }

    public List<String> lastKinds() {
        return last.stream().map(EventBody::kind).toList();
    }

    public <T extends EventBody> List<T> all(Class<T> kind) {
        return events.stream()
                .map(Event::body)
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    public List<String> kinds() {
        return events.stream().map(event -> event.body().kind()).toList();
    }

    public String tale() {
        StringBuilder out = new StringBuilder(id + "\n");
        events.forEach(event ->
                out.append(event.sequence()).append(' ').append(event.body()).append('\n'));
        return out.toString();
    }
}
