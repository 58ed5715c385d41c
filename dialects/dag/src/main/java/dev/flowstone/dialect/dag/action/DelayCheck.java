package dev.flowstone.dialect.dag.action;

import dev.flowstone.dialect.dag.definition.DagNode;
import dev.flowstone.dialect.dag.fault.FaultCode;
import dev.flowstone.dialect.dag.option.DagOptions;
import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Nearest;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;

/**
 * The parameters of {@code core.delay}: {@code durationMs}, a whole number of milliseconds or one {@code {{ }}} that gives
 * one, or {@code duration}, ISO 8601 without years and months, or a template of one.
 */
public final class DelayCheck {
    public static final String MILLIS = "durationMs";
    public static final String ISO = "duration";

    private static final List<String> NAMES = List.of(MILLIS, ISO);

    private final DagOptions options;
    private final Faults faults;
    private final Nearest nearest;

    public DelayCheck(DagOptions options, Faults faults, Nearest nearest) {
        this.options = options;
        this.faults = faults;
        this.nearest = nearest;
    }

    /** @param deadline of a run, from its start */
    void check(DagNode node, Duration deadline) {
        String pointer = node.pointer() + "/parameters";
        for (String name : node.parameters().members().keySet()) {
            if (!NAMES.contains(name)) {
                String at = pointer + "/" + JsonPointer.escape(name);
                faults.addAtName(
                        FaultCode.ACTION_PARAMETERS,
                        at,
                        "'core.delay' has no parameter " + Quoted.text(name),
                        nearest.orElse(name, NAMES, "it takes 'durationMs' or 'duration'"));
            }
        }
        JsonValue millis = node.parameters().get(MILLIS);
        JsonValue iso = node.parameters().get(ISO);
        if (millis != null && iso != null) {
            wrong(pointer, "'core.delay' takes 'durationMs' or 'duration', not both", "remove one of them");
        } else if (millis != null) {
            millis(millis, pointer + "/" + MILLIS, deadline);
        } else if (iso != null) {
            iso(iso, pointer + "/" + ISO, deadline);
        } else {
            String at = node.parameters().members().isEmpty() ? node.pointer() : pointer;
            wrong(
                    at,
                    "'core.delay' doesn't say how long",
                    "add \"parameters\": { \"durationMs\": 5000 } or { \"duration\": \"PT5S\" }");
        }
        if (node.policies().present()) {
            faults.addAtName(
                    FaultCode.IGNORED_PROPERTY,
                    node.pointer() + "/policies",
                    "'policies' has no effect: a delay is a timer, which neither fails nor takes longer",
                    "remove it");
        }
    }

    private void millis(JsonValue value, String pointer, Duration deadline) {
        switch (value) {
            case JsonNumber number -> {
                BigDecimal millis = number.decimalValue();
                if (millis.stripTrailingZeros().scale() > 0) {
                    wrong(pointer, "'durationMs' must be a whole number of milliseconds", "round it");
                } else {
                    bounded(millis, pointer, deadline);
                }
            }
            case JsonString text when isOneTemplate(text.value()) -> {}
            default ->
                wrong(
                        pointer,
                        "'durationMs' must be a whole number, or one '{{ … }}' that gives one",
                        "write 5000 or \"{{ trigger.delayMs }}\"");
        }
    }

    private void iso(JsonValue value, String pointer, Duration deadline) {
        if (!(value instanceof JsonString text)) {
            wrong(pointer, "'duration' must be a string", "write an ISO 8601 duration such as \"PT5S\" or \"P1DT2H\"");
        } else if (!text.value().contains("{{")) {
            try {
                bounded(millis(Duration.parse(text.value())), pointer, deadline);
            } catch (DateTimeParseException | ArithmeticException e) {
                wrong(
                        pointer,
                        Quoted.text(text.value()) + " isn't an ISO 8601 duration of days, hours, minutes and seconds",
                        "write \"PT5S\", \"PT1H30M\" or \"P2D\"; years and months have no fixed length");
            }
        }
    }

    private void bounded(BigDecimal millis, String pointer, Duration deadline) {
        if (millis.signum() < 0) {
            outOfRange(pointer, "a delay can't be negative", "make it 0 or more");
        } else if (millis.compareTo(millis(options.limits().maxDelay())) > 0) {
            outOfRange(
                    pointer,
                    "a delay lasts at most " + options.limits().maxDelay(),
                    "make it shorter, or raise the limit dag.maxDelay");
        } else if (millis.compareTo(millis(deadline)) >= 0) {
            faults.add(
                    FaultCode.DELAY_BEYOND_DEADLINE,
                    pointer,
                    "the run ends at its deadline, " + deadline + " after its start, before this delay is over",
                    "make it shorter, or raise 'settings.timeoutMs', or dag.workflowTimeout");
        }
    }

    private static BigDecimal millis(Duration duration) {
        return BigDecimal.valueOf(duration.getSeconds())
                .movePointRight(3)
                .add(BigDecimal.valueOf(duration.getNano(), 6));
    }

    /** One expression and nothing else: it keeps its type, so that it can be a number. */
    private static boolean isOneTemplate(String text) {
        String bare = text.strip();
        return bare.startsWith("{{") && bare.endsWith("}}") && bare.indexOf("{{", 2) < 0;
    }

    private void outOfRange(String pointer, String message, String remedy) {
        faults.add(FaultCode.OUT_OF_RANGE, pointer, message, remedy);
    }

    private void wrong(String pointer, String message, String remedy) {
        faults.add(FaultCode.ACTION_PARAMETERS, pointer, message, remedy);
    }
}
