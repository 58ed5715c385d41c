package dev.flowstone.dialect.states.format;

import static dev.flowstone.dialect.states.format.Format.fixed;
import static dev.flowstone.dialect.states.format.Format.list;
import static dev.flowstone.dialect.states.format.Format.name;
import static dev.flowstone.dialect.states.format.Format.number;
import static dev.flowstone.dialect.states.format.Format.text;
import static dev.flowstone.dialect.states.format.Format.word;

import dev.flowstone.dialect.states.format.Shape.AnyObject;
import dev.flowstone.dialect.states.format.Shape.Anything;
import dev.flowstone.dialect.states.format.Shape.Flag;
import dev.flowstone.dialect.states.format.Shape.Items;
import dev.flowstone.dialect.states.format.Shape.Named;
import dev.flowstone.dialect.states.format.Shape.Ref;
import dev.flowstone.dialect.states.format.Shape.Text;
import dev.flowstone.dialect.states.format.Shape.Whole;

/** The workflow and its sections. */
final class FormatSections {
    private static final int MOST = 500;

    private FormatSections() {}

    static Kind workflow() {
        return Kind.of(Format.ROOT, "a workflow")
                .must("$schema", word(Format.SCHEMA), "Names the format.")
                .must("id", new Text(100, "[a-z0-9-]+", "my-workflow"), "a-z, 0-9 and '-'.")
                .must("name", text(500), "For people.")
                .may("description", text(10_000), "For people.")
                .may(
                        "version",
                        new Text(100, "\\d+\\.\\d+\\.\\d+([-+][0-9A-Za-z.+-]+)?", "1.0.0"),
                        "The author's own version (semver).")
                .may("owners", new Items(text(200), 1, 50), "Who answers for it.")
                .may("riskTier", word("low", "medium", "high", "critical"), "How much care it needs.")
                .may("residency", new Items(text(100), 1, 50), "Regions that its data may not leave.")
                .may("deadline", fixed(), "How long a run may take in all.")
                .may("onFailure", word("fail", "compensate", "park"), "What a failure does that no transition is for.")
                .may("variables", new Named(new Ref("variable"), MOST), "The run's own values: variables.name.")
                .may("roles", new Named(new Ref("role"), MOST), "Roles that tasks are given to.")
                .may("calendars", new Named(text(200), MOST), "Business calendars by their names here.")
                .may("semaphores", new Named(new Ref("semaphore"), MOST), "Scarce things that runs share.")
                .may("policies", new Named(new Ref("policy"), MOST), "Rules that allow or deny.")
                .may("compensations", new Named(new Ref("compensation"), MOST), "What undoes a task.")
                .may("escalations", new Named(list("escalationStep"), MOST), "What happens while nobody decides.")
                .may("subworkflows", new Named(new Ref("subworkflow"), MOST), "Workflows that this one calls.")
                .may("triggers", new Items(new Ref("trigger"), 0, 100), "Events that start runs or signal them.")
                .may("suspend", new Ref("suspend"), "What suspending a run means.")
                .may("progress", new Ref("progress"), "Milestones.")
                .must("start", name(), "The state that a run begins in.")
                .must("states", new Named(new Ref("state"), 10_000), "The states by name.")
                .may("output", new Anything(), "What a run gives, a template; else its last state's output.")
                .build();
    }

    static Kind variable() {
        return Kind.of("variable", "a variable")
                .must(
                        "type",
                        word("string", "number", "integer", "boolean", "object", "array", "any"),
                        "Its JSON type.")
                .may("default", new Anything(), "Its first value, a template; it has none before it is assigned.")
                .may("sensitivity", word("public", "internal", "personal", "secret"), "Who may see it.")
                .may("encrypted", new Flag(), "Whether it must be stored encrypted.")
                .may("description", text(10_000), "For people.")
                .build();
    }

    static Kind role() {
        return Kind.of("role", "a role")
                .may("attributes", new AnyObject(), "What the identity provider says of its members.")
                .may("description", text(10_000), "For people.")
                .build();
    }

    static Kind semaphore() {
        return Kind.of("semaphore", "a semaphore")
                .must("permits", new Whole(1, 1_000_000), "How many there are.")
                .may("key", text(4_000), "Its name in the tenant, a template; else its name here.")
                .may("lease", fixed(), "How long a permit is held at most; an hour unless told.")
                .may("description", text(10_000), "For people.")
                .build();
    }

    static Kind policy() {
        return Kind.of("policy", "a policy")
                .may("rule", new Ref("rule"), "It allows if this holds; otherwise it denies.")
                .may(
                        "rules",
                        new Items(new Ref("policyRule"), 1, 50),
                        "In their order; the first that applies decides. It denies if none does.")
                .may(
                        "bundle",
                        new Text(100, "[A-Za-z0-9][A-Za-z0-9._-]*", "release-policy"),
                        "A published policy of this name decides, in the version that is current then.")
                .may("description", text(10_000), "For people.")
                .exactlyOne("rule", "rules", "bundle")
                .build();
    }

    static Kind policyRule() {
        return Kind.of("policyRule", "a rule of a policy")
                .must("effect", word("allow", "deny"), "What it decides.")
                .must("reason", name(), "Why; the run's events show it.")
                .may("when", new Ref("rule"), "It applies if this holds; to everything unless told.")
                .may("description", text(10_000), "For people.")
                .build();
    }

    static Kind subworkflow() {
        return Kind.of("subworkflow", "a subworkflow")
                .must("workflow", new Text(100, "[a-z0-9-]+", "other-workflow"), "Its id.")
                .may("version", new Whole(1, 1_000_000_000), "Pins a version; else the one that is active.")
                .may("inputs", new Items(name(), 0, MOST), "What a call must give it.")
                .may("outputs", new Items(name(), 0, MOST), "What it gives back.")
                .may("description", text(10_000), "For people.")
                .build();
    }

    static Kind trigger() {
        return Kind.of("trigger", "a trigger")
                .must("id", name(), "Unique here.")
                .must("source", word("internal", "external"), "Events of workflows, or from outside.")
                .must(
                        "event",
                        new Text(200, "[^*]+\\*?|\\*", "order.paid"),
                        "The event's type; with a '*' at its end all that begin so.")
                .may("workflow", new Text(100, "[a-z0-9-]+", "other-workflow"), "Internal: only of this workflow.")
                .may("guard", Format.condition(), "Only if this holds for the event.")
                .may("start", new Flag(), "It starts a run.")
                .may("signal", new Ref("triggerSignal"), "It signals a run.")
                .exactlyOne("start", "signal")
                .build();
    }

    static Kind triggerSignal() {
        return Kind.of("triggerSignal", "a trigger's signal")
                .must("type", text(200), "The signal's type.")
                .must("key", text(4_000), "Its correlation key, a template over the event.")
                .build();
    }

    static Kind suspend() {
        return Kind.of("suspend", "'suspend'")
                .may("timers", word("freeze", "catchUp"), "What timers do meanwhile.")
                .may("inbox", word("buffer", "reject"), "What becomes of what arrives meanwhile.")
                .may("approvals", word("buffer", "reject"), "What becomes of decisions meanwhile.")
                .may("children", word("cascade", "fenceParentOnly", "cancelChildren"), "What children do.")
                .build();
    }

    static Kind progress() {
        return Kind.of("progress", "'progress'")
                .must("milestones", list("milestone"), "What counts as progress.")
                .build();
    }

    static Kind milestone() {
        return Kind.of("milestone", "a milestone")
                .must("id", name(), "Unique here.")
                .must("state", name(), "Reached when this state has done its work.")
                .may("name", text(500), "For people.")
                .may("weight", number(0, 1_000_000), "Its share of the whole; 1 unless told.")
                .build();
    }
}
