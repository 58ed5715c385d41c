package dev.flowstone.testkit.scenario;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.StoredSubject;
import dev.flowstone.engine.journal.SubjectKey;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.subject.MutationAnswer;
import dev.flowstone.engine.subject.SubjectChange;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.read.EditWindow;
import dev.flowstone.testkit.scenario.check.JsonDiff;
import dev.flowstone.testkit.scenario.check.ObservedSubject;
import dev.flowstone.testkit.scenario.check.ObservedSubject.Attempt;
import dev.flowstone.testkit.scenario.check.ObservedSubject.Change;
import dev.flowstone.testkit.scenario.file.GivenSubject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a scenario's run is about: the row that an application would keep of it, beside what the database in memory knows. A
 * task's change is staged while it works, and there to see only when its transaction is committed.
 */
final class StubbedSubject {
    /** A scenario's database has one. */
    private static final ShardId SHARD = new ShardId(0);

    private final Ports ports;
    private final SubjectKey key;
    private final GivenSubject given;
    private final Set<HandlerName> transactional;
    private final List<Change> changes = new ArrayList<>();
    private JsonObject values;
    private JsonObject staged = JsonObject.EMPTY;
    private boolean left;

    StubbedSubject(Ports ports, TenantId tenant, GivenSubject given, Set<HandlerName> transactional) {
        this.ports = requireNonNull(ports);
        this.given = requireNonNull(given);
        this.key = new SubjectKey(tenant, given.binding().subject());
        this.transactional = Set.copyOf(transactional);
        this.values = given.values();
    }

    /** Whether it has these fields, with these values or parts of them. */
    boolean has(JsonObject fields) {
        return JsonDiff.subset(fields, values).isEmpty();
    }

    /** A task changes these fields, if its transaction is committed. */
    void stage(JsonObject sets) {
        staged = sets;
    }

    /** It is. */
    void commit(Attempt by, Optional<Long> version) {
        changed(new Change(Optional.of(by), version, staged));
    }

    /**
     * Somebody outside edits it.
     *
     * @param seen the version that was edited; else the present one
     * @return code and reason of the refusal; empty if it was accepted
     */
    String edit(JsonObject sets, Optional<Long> seen, Optional<EditWindow> tighten) {
        SubjectChange change = new SubjectChange(
                key.tenant(),
                key.subject(),
                seen.orElseGet(this::version),
                sets.members().keySet(),
                tighten);
        try {
            return switch (ports.subjects().mutate(change, (_, _) -> {})) {
                case MutationAnswer.Refused refused -> refused.code() + ": " + refused.reason();
                case MutationAnswer.Done done -> {
                    changed(new Change(Optional.empty(), Optional.of(done.version()), sets));
                    left = true;
                    yield "";
                }
            };
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether an edit has left word for the run since this was asked. */
    boolean takeWord() {
        boolean word = left;
        left = false;
        return word;
    }

    ObservedSubject observed() {
        return new ObservedSubject(key.subject(), version(), values, changes, transactional);
    }

    private long version() {
        try {
            StoredSubject stored = ports.journal().subjects(SHARD, List.of(key)).get(key);
            return stored == null ? given.binding().version() : stored.version();
        } catch (JournalException e) {
            throw new IllegalStateException(e);
        }
    }

    private void changed(Change change) {
        Map<String, JsonValue> next = new LinkedHashMap<>(values.members());
        change.sets().members().forEach((name, value) -> {
            if (value instanceof JsonNull) {
                next.remove(name);
            } else {
                next.put(name, value);
            }
        });
        values = JsonObject.of(next);
        changes.add(change);
    }
}
