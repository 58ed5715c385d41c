package dev.flowstone.server.cli;

import dev.flowstone.server.cli.Cli.Said;
import dev.flowstone.server.config.Setting;
import dev.flowstone.server.config.Settings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Command lines of {@code flowstone} that stand in a text, and whether it would take them. */
final class DocCommands {
    /** The command, after whatever a shell lets stand before one, up to what ends it. */
    private static final Pattern CALL = Pattern.compile(
            "(?m)(?:^|[;&|(] *|\\$ |[A-Z_]+=\\S* )(?:\\./|bin/)?flowstone((?: +(?:'[^']*'|\"[^\"]*\"|[^\\s;&|>#)'\"][^\\s;&|>)'\"]*)+)+)");

    private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\"[^\"]*\"|[^\\s'\"]+)+");

    /** What the launcher does by itself. */
    private static final Set<String> OF_THE_LAUNCHER = Set.of("check", "dist");

    private DocCommands() {}

    /** Each in its words, without their quotes. */
    static List<List<String>> in(String text) {
        return CALL.matcher(text.replaceAll("\\\\\n *", ""))
                .results()
                .map((MatchResult call) -> words(call.group(1)))
                .toList();
    }

    private static List<String> words(String line) {
        return WORD.matcher(line)
                .results()
                .map((MatchResult word) -> word.group().replaceAll("['\"]", ""))
                .toList();
    }

    /** As if it had been called: 0, and nothing done, if it would be taken; 2, and why, if not. */
    static Said parsed(List<String> words) {
        try {
            if (!OF_THE_LAUNCHER.contains(words.getFirst())) {
                line(words).parseArgs(words.toArray(String[]::new));
            }
            return unknownSettings(words).stream()
                    .findFirst()
                    .map(name -> new Said(2, "", "there is no setting " + name))
                    .orElse(new Said(0, "", ""));
        } catch (ParameterException e) {
            return new Said(2, "", String.valueOf(e.getMessage()));
        }
    }

    /** Whether it is for a server that runs. */
    static boolean speaksToAServer(List<String> words) {
        try {
            ParseResult result = line(words).parseArgs(words.toArray(String[]::new));
            while (result.hasSubcommand()) {
                result = result.subcommand();
            }
            return result.commandSpec().findOption("--server") != null;
        } catch (ParameterException e) {
            return false; // which it is told when it is called
        }
    }

    private static CommandLine line(List<String> words) {
        Terminal nobody = new Terminal(new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()), false);
        return Main.commandLine(nobody, words.toArray(String[]::new));
    }

    /** Names that are set and that there aren't; those of endpoints and subscriptions are made up by who sets them. */
    private static List<String> unknownSettings(List<String> words) {
        Set<String> known = Settings.all().stream().map(Setting::name).collect(Collectors.toSet());
        List<String> unknown = new ArrayList<>();
        for (int i = 1; i < words.size(); i++) {
            Matcher name = Pattern.compile("([^=]+)=.*").matcher(words.get(i));
            if (words.get(i - 1).equals("--set") && name.matches() && !known.contains(name.group(1))) {
                if (!name.group(1).startsWith("webhook.")) {
                    unknown.add(name.group(1));
                }
            }
        }
        return unknown;
    }
}
