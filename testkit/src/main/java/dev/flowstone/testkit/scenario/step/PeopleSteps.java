package dev.flowstone.testkit.scenario.step;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Members;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * What people do: claim, heartbeat, release, decide, reassign, delegate, resolve, attest. Everything is read with its file;
 * only the visit is found when the time has come.
 */
final class PeopleSteps {
    private static final Duration LEASE = Duration.ofMinutes(15);

    private PeopleSteps() {}

    static Optional<Step> claim(Cursor value) {
        Members at = Ask.members(value, "task", "roles", "lease", "override");
        Set<String> roles = roles(at);
        Duration lease = lease(at);
        boolean override = flag(at, "override");
        return ofTask(value, at, task -> new HumanCommand.Claim(task, roles, lease, override));
    }

    static Optional<Step> heartbeat(Cursor value) {
        Members at = Ask.members(value, "task", "lease");
        Duration lease = lease(at);
        return ofTask(value, at, task -> new HumanCommand.Heartbeat(task, lease));
    }

    static Optional<Step> release(Cursor value) {
        Members at = Ask.members(value, "task", "override");
        boolean override = flag(at, "override");
        return ofTask(value, at, task -> new HumanCommand.Release(task, override));
    }

    static Optional<Step> decide(Cursor value) {
        Members at = Ask.members(value, "task", "outcome", "roles", "for", "why", "subject", "override");
        Outcome outcome = outcome(at);
        Set<String> roles = roles(at);
        Optional<String> onBehalfOf = text(at, "for");
        Optional<String> rationale = text(at, "why");
        Optional<Long> subject = at.find("subject").flatMap(Cursor::whole);
        boolean override = flag(at, "override");
        return ofTask(
                value,
                at,
                task -> new HumanCommand.Decide(task, outcome, roles, onBehalfOf, rationale, subject, override));
    }

    static Optional<Step> reassign(Cursor value) {
        Members at = Ask.members(value, "task", "from", "to", "reason");
        List<Party> to = at.need("to").map(PeopleSteps::parties).orElse(List.of());
        Optional<Party> from = at.find("from").flatMap(PeopleSteps::party);
        String reason = reason(at);
        return ofTask(value, at, task -> new HumanCommand.Reassign(task, from, to, reason));
    }

    static Optional<Step> delegate(Cursor value) {
        Members at = Ask.members(value, "task", "from", "to", "roles", "override", "reason");
        Optional<Party> from = at.need("from").flatMap(PeopleSteps::party);
        Optional<Party> to = at.need("to").flatMap(PeopleSteps::party);
        if (from.isEmpty() || to.isEmpty()) {
            return Optional.empty();
        }
        Set<String> roles = roles(at);
        boolean override = flag(at, "override");
        String reason = reason(at);
        return ofTask(
                value, at, task -> new HumanCommand.Delegate(task, from.get(), to.get(), roles, override, reason));
    }

    static Optional<Step> resolve(Cursor value) {
        Members at = Ask.members(value, "task", "outcome", "reason");
        Outcome outcome = outcome(at);
        String reason = reason(at);
        return ofTask(value, at, task -> new HumanCommand.Resolve(task, outcome, reason));
    }

    /** Without {@code id} the oldest attestation that is open. */
    static Optional<Step> attest(Cursor value) {
        Members at = Ask.members(value, "id", "statement");
        String statement = at.need("statement").flatMap(Cursor::text).orElse("");
        Optional<String> id = text(at, "id");
        return Optional.of(Ask.of(
                value,
                at,
                Ask.ofRun(run -> new HumanCommand.Attest(
                        id.or(() -> run.state().stream()
                                        .flatMap(it -> it.attestations().stream())
                                        .map(it -> it.id())
                                        .findFirst())
                                .orElseThrow(() -> new StepException("nothing is to be attested")),
                        statement))));
    }

    private static Optional<Step> ofTask(Cursor value, Members at, Function<ActivationId, Command> command) {
        return at.need("task")
                .flatMap(Cursor::text)
                .map(name -> Ask.of(value, at, Ask.ofRun(run -> command.apply(Activations.find(run, name)))));
    }

    private static Optional<String> text(Members at, String name) {
        return at.find(name).flatMap(Cursor::text);
    }

    private static Outcome outcome(Members at) {
        return new Outcome(at.need("outcome").flatMap(Cursor::text).orElse(""));
    }

    static String reason(Members at) {
        return text(at, "reason").orElse("the scenario says so");
    }

    private static boolean flag(Members at, String name) {
        return at.find(name).flatMap(Cursor::flag).orElse(false);
    }

    private static Duration lease(Members at) {
        return at.find("lease").flatMap(Cursor::duration).orElse(LEASE);
    }

    private static Set<String> roles(Members at) {
        return at.find("roles")
                .map(it -> Set.copyOf(it.items().stream()
                        .flatMap(role -> role.text().stream())
                        .toList()))
                .orElse(Set.of());
    }

    private static List<Party> parties(Cursor value) {
        List<Party> parties = new ArrayList<>();
        (value.value() instanceof JsonArray ? value.items() : List.of(value))
                .forEach(item -> party(item).ifPresent(parties::add));
        return parties;
    }

    /** {@code ann} is a user; a role is written {@code role:cfo}. */
    private static Optional<Party> party(Cursor value) {
        Optional<String> text = value.text();
        try {
            return text.map(it -> it.indexOf(':') > 0 ? Party.parse(it) : Party.user(it));
        } catch (IllegalArgumentException e) {
            value.fault(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }
}
