package dev.flowstone.server.cli;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.cli.Verb.Argument;
import dev.flowstone.server.cli.Verb.Flag;
import dev.flowstone.server.cli.Verb.Kind;
import dev.flowstone.server.client.ServerCall;
import dev.flowstone.server.client.ServerClient;
import dev.flowstone.server.http.Percent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** A {@link Verb} on the command line: reads its words, makes the call, tells the answer. */
final class VerbCommand implements Callable<Integer> {
    private static final String IDEMPOTENCY_KEY = "--idempotency-key";

    private final Terminal terminal;
    private final Verb verb;
    private final RemoteOptions remote;
    private final Map<Argument, PositionalParamSpec> arguments = new LinkedHashMap<>();
    private final Map<Flag, OptionSpec> flags = new LinkedHashMap<>();
    private final OptionSpec all = OptionSpec.builder("--all")
            .arity("0")
            .type(boolean.class)
            .defaultValue("false")
            .description("Every page; with --json a line for each item.")
            .build();
    private final OptionSpec key = OptionSpec.builder(IDEMPOTENCY_KEY)
            .paramLabel("KEY")
            .type(String.class)
            .description("Repeat this call under the same key, and it is done once.")
            .build();

    VerbCommand(Terminal terminal, Verb verb, Map<String, String> environment) {
        this.terminal = terminal;
        this.verb = verb;
        this.remote = new RemoteOptions(environment);
    }

    /** What picocli has to know of it. */
    CommandSpec spec() {
        CommandSpec spec = CommandSpec.wrapWithoutInspection(this).name(verb.name());
        for (Argument argument : verb.arguments()) {
            arguments.put(
                    argument,
                    PositionalParamSpec.builder()
                            .index(Integer.toString(arguments.size()))
                            .arity("1")
                            .required(true)
                            .type(String.class)
                            .paramLabel(argument.label())
                            .description(text(argument.meaning()))
                            .build());
        }
        for (Flag flag : verb.flags()) {
            flags.put(flag, option(flag));
        }
        arguments.values().forEach(spec::addPositional);
        flags.values().forEach(spec::addOption);
        if (verb.changesSomething()) {
            spec.addOption(key);
        }
        if (verb.hasPages()) {
            spec.addOption(all);
        }
        spec.addMixin("remote", CommandSpec.forAnnotatedObject(remote));
        spec.usageMessage()
                .header(text(verb.header()))
                .footer("", "Example:", "  flowstone " + text(verb.example()), "", RemoteExit.HELP);
        return spec;
    }

    private static OptionSpec option(Flag flag) {
        OptionSpec.Builder option = OptionSpec.builder(flag.name())
                .description(text(flag.meaning()))
                .required(flag.required());
        if (flag.kind().bare()) {
            return option.arity("0").type(boolean.class).defaultValue("false").build();
        }
        option.arity("1").paramLabel(flag.label());
        return flag.kind().repeats()
                ? option.type(List.class).auxiliaryTypes(String.class).build()
                : option.type(String.class).build();
    }

    /** Percent signs are picocli's own language. */
    private static String text(String words) {
        return words.replace("%", "%%");
    }

    @Override
    public Integer call() throws Exception {
        Map<String, String> words = new HashMap<>();
        for (Map.Entry<Argument, PositionalParamSpec> entry : arguments.entrySet()) {
            words.put(
                    entry.getKey().name(),
                    checked(entry.getKey(), entry.getValue().getValue()));
        }
        AnswerText answers = new AnswerText(terminal, verb, words, remote.json());
        ServerCall call = call(words);
        try (ServerClient client = remote.client()) {
            return switch (verb.report()) {
                case Report.One one ->
                    new Pages(client, call, answers).one(one.member(), words.getOrDefault(one.argument(), ""));
                case Report.Batches batches ->
                    new Batches(terminal, answers, remote.json(), batches)
                            .run(call.body().orElseThrow(), page -> client.call(call.with(page)));
                case Report.Rows rows
                when Boolean.TRUE.equals(all.getValue()) -> new Pages(client, call, answers).all(rows);
                default -> answers.tell(client.call(call));
            };
        }
    }

    private ServerCall call(Map<String, String> words) throws UsageException {
        Map<String, JsonValue> members = members();
        Map<String, String> query = new LinkedHashMap<>();
        OptionalLong revision = OptionalLong.empty();
        for (Flag flag : verb.flags()) {
            JsonValue value = members.get(flag.member());
            if (flag.kind() == Kind.REVISION && value instanceof JsonNumber number) {
                revision = OptionalLong.of(number.longValue());
                members.remove(flag.member());
            } else if (flag.kind() == Kind.OFF_IN_QUERY && value != null) {
                query.put(flag.member(), "false");
                members.remove(flag.member());
            } else if (flag.kind() == Kind.COUNT_IN_QUERY && value != null) {
                query.put(flag.member(), AnswerText.plain(value));
                members.remove(flag.member());
            }
        }
        Optional<JsonObject> body = Optional.empty();
        if (verb.hasBody()) {
            body = body(members, words);
        } else {
            members.forEach((name, value) -> query.put(name, AnswerText.plain(value)));
        }
        Optional<String> repeatable = verb.changesSomething() ? Optional.ofNullable(key.getValue()) : Optional.empty();
        return new ServerCall(verb.method(), path(words), query, body, repeatable, revision);
    }

    private static String checked(Argument argument, String word) throws UsageException {
        if (argument.equals(Argument.RUN)) {
            return RunArgument.parse(word).toString();
        }
        if (argument.equals(Argument.TASK) && !word.matches(".+#[1-9][0-9]*")) {
            throw new UsageException(
                    "'" + word + "' is no task: a task is named by its node and visit, such as review#1;" + " `"
                            + Hints.COMMAND + " tasks list` lists them");
        }
        return word;
    }

    private Map<String, JsonValue> members() throws UsageException {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        for (Map.Entry<Flag, OptionSpec> entry : flags.entrySet()) {
            Flag flag = entry.getKey();
            Object given = entry.getValue().getValue();
            if (given instanceof String file && flag.kind() == Kind.BODY) {
                members.putAll(object(flag, file).members());
            } else if (given instanceof List<?> pairs) {
                members.put(flag.member(), with(members.get(flag.member()), flag, pairs));
            } else if (given instanceof String text) {
                members.put(flag.member(), value(flag, text));
            } else if (given instanceof Boolean on && on) {
                members.put(flag.member(), JsonBoolean.of(flag.kind() == Kind.ON));
            }
        }
        return members;
    }

    private static JsonValue value(Flag flag, String text) throws UsageException {
        return switch (flag.kind()) {
            case TEXT -> new JsonString(text);
            case TEXTS -> texts(text);
            case BODY, OBJECT -> object(flag, text);
            case JSON -> JsonArgument.parse(flag.name(), text);
            case COUNT, COUNT_IN_QUERY, REVISION -> JsonNumber.of(count(flag, text));
            case SECONDS -> JsonNumber.of(seconds(flag, text));
            case ON, OFF, OFF_IN_QUERY -> throw new IllegalStateException(flag + " has a value");
            case MEMBERS -> throw new IllegalStateException(flag + " has several");
        };
    }

    /** An object, if there was one before, with more members. */
    private static JsonObject with(@Nullable JsonValue before, Flag flag, List<?> pairs) throws UsageException {
        Map<String, JsonValue> all =
                new LinkedHashMap<>(before instanceof JsonObject object ? object.members() : Map.of());
        for (Object pair : pairs) {
            String text = String.valueOf(pair);
            int equals = text.indexOf('=');
            if (equals < 1) {
                throw new UsageException(flag.name() + " takes NAME=VALUE, not '" + text + "'");
            }
            all.put(text.substring(0, equals), JsonArgument.orText(text.substring(equals + 1)));
        }
        return JsonObject.of(all);
    }

    private static JsonObject object(Flag flag, String file) throws UsageException {
        if (JsonArgument.parse(flag.name(), "@" + file) instanceof JsonObject object) {
            return object;
        }
        throw new UsageException(flag.name() + " takes a file with a JSON object, and " + file + " has none");
    }

    private static JsonArray texts(String text) {
        List<JsonValue> items = new ArrayList<>();
        for (String item : text.split(",", -1)) {
            items.add(new JsonString(item.strip()));
        }
        return new JsonArray(items);
    }

    private static long count(Flag flag, String text) throws UsageException {
        if (!text.matches("[0-9]{1,15}")) {
            throw new UsageException(flag.name() + " takes a number, not '" + text + "'");
        }
        return Long.parseLong(text);
    }

    private static long seconds(Flag flag, String text) throws UsageException {
        if (!text.matches("[0-9]{1,9}[smhd]?")) {
            throw new UsageException(
                    flag.name() + " takes seconds, or a time such as 90s, 15m, 2h, 7d, not '" + text + "'");
        }
        long number = Long.parseLong(text.replaceFirst("[smhd]$", ""));
        return switch (text.charAt(text.length() - 1)) {
            case 'm' -> number * 60;
            case 'h' -> number * 3_600;
            case 'd' -> number * 86_400;
            default -> number;
        };
    }

    /** Arguments that the path doesn't name go into the body. Nothing to say is no body. */
    private Optional<JsonObject> body(Map<String, JsonValue> members, Map<String, String> words) {
        Map<String, JsonValue> all = new LinkedHashMap<>(verb.constant().members());
        all.putAll(members);
        words.forEach((name, word) -> {
            if (!verb.path().contains("{" + name + "}")) {
                all.put(name, new JsonString(word));
            }
        });
        return all.isEmpty() ? Optional.empty() : Optional.of(JsonObject.of(all));
    }

    private String path(Map<String, String> words) {
        String path = verb.path();
        for (Map.Entry<String, String> word : words.entrySet()) {
            path = path.replace("{" + word.getKey() + "}", Percent.segment(word.getValue()));
        }
        return path;
    }
}
