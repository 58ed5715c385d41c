package dev.flowstone.templates.workflow;

import java.util.Set;

/** What the formats of workflows take a value for, as far as it matters for what a config may put there. */
enum Role {
    /** An object of the format, whose members are its keywords; texts in it may be templates. */
    FORMAT,
    /** An object whose members somebody named: states, variables, policies. */
    NAMES,
    /** What is handed to an action, a person or another workflow: any JSON, whose texts may be templates. */
    DATA,
    /** Text for people, or a schema: never a template. */
    PROSE,
    /** An expression, or a rule that becomes one. */
    CODE,
    /** A literal in a rule. */
    LITERAL;

    private static final Set<String> EXPRESSIONS = Set.of("condition", "when", "guard", "rule");
    private static final Set<String> HANDED_ON =
            Set.of("parameters", "input", "request", "payload", "assign", "output", "items", "default");
    private static final Set<String> NAMED = Set.of(
            "states",
            "variables",
            "policies",
            "roles",
            "compensations",
            "escalations",
            "semaphores",
            "subworkflows",
            "branches");
    private static final Set<String> PLAIN = Set.of(
            "description", "name", "displayName", "owners", "attest", "attributes", "calendars", "triggerSchema");

    /** Parts of a rule that are rules, or expressions, themselves. */
    private static final Set<String> RULES = Set.of("all", "any", "not", "present", "value");

    /** Of a member of an object of this role. */
    Role of(String member) {
        return switch (this) {
            case DATA, PROSE -> this;
            case NAMES -> FORMAT;
            case CODE, LITERAL -> RULES.contains(member) ? CODE : LITERAL;
            case FORMAT -> {
                if (EXPRESSIONS.contains(member)) {
                    yield CODE;
                }
                if (HANDED_ON.contains(member)) {
                    yield DATA;
                }
                if (NAMED.contains(member)) {
                    yield NAMES;
                }
                yield PLAIN.contains(member) ? PROSE : FORMAT;
            }
        };
    }

    /** Whether lists and objects of any kind may come there. */
    boolean takesAnything() {
        return this == DATA;
    }

    /** Whether a text there may have expressions in it. */
    boolean hasTemplates() {
        return this == DATA || this == FORMAT || this == NAMES;
    }
}
