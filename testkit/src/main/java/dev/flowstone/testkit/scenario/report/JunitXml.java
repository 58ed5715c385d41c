package dev.flowstone.testkit.scenario.report;

import dev.flowstone.testkit.scenario.source.FileFault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedSet;

/**
 * The report in JUnit's XML, as build servers read it: a suite for each file, a case for each scenario, an error for each
 * file that could not be run. Always well-formed XML 1.0: a character that XML doesn't have becomes U+FFFD.
 */
public final class JunitXml {
    private final StringBuilder xml = new StringBuilder();

    private JunitXml() {}

    public static String of(TestReport report) {
        JunitXml xml = new JunitXml();
        xml.suites(report);
        return xml.xml.toString();
    }

    private void suites(TestReport report) {
        SequencedSet<Path> files = new LinkedHashSet<>();
        report.results().forEach(result -> files.add(result.file()));
        report.faults().forEach(fault -> files.add(fault.file()));
        xml.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        open("testsuites", totals("flowstone", report.results(), report.faults()));
        for (Path file : files) {
            suite(
                    file,
                    report.results().stream()
                            .filter(it -> it.file().equals(file))
                            .toList(),
                    report.faults().stream()
                            .filter(it -> it.file().equals(file))
                            .toList());
        }
        xml.append("</testsuites>\n");
    }

    private void suite(Path file, List<ScenarioResult> results, List<FileFault> faults) {
        open("testsuite", totals(file.toString(), results, faults));
        for (ScenarioResult result : results) {
            Map<String, String> attributes = new LinkedHashMap<>();
            attributes.put("name", result.name());
            attributes.put("classname", file.toString());
            attributes.put("file", file.toString());
            attributes.put("line", Integer.toString(result.line()));
            attributes.put("time", seconds(result.real()));
            open("testcase", attributes);
            if (!result.passed()) {
                String first = result.differences().getFirst().key() + ": "
                        + result.differences().getFirst().lines().getFirst().strip();
                problem("failure", first, result.told() + "\n\n" + String.join("\n", result.timeline()));
            }
            xml.append("</testcase>\n");
        }
        for (FileFault fault : faults) {
            open("testcase", Map.of("name", fault.place(), "classname", file.toString(), "time", "0.000"));
            problem("error", fault.message(), fault.toString());
            xml.append("</testcase>\n");
        }
        xml.append("</testsuite>\n");
    }

    private static Map<String, String> totals(String name, List<ScenarioResult> results, List<FileFault> faults) {
        Duration real = results.stream().map(ScenarioResult::real).reduce(Duration.ZERO, Duration::plus);
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("name", name);
        attributes.put("tests", Integer.toString(results.size() + faults.size()));
        attributes.put(
                "failures",
                Long.toString(results.stream().filter(it -> !it.passed()).count()));
        attributes.put("errors", Integer.toString(faults.size()));
        attributes.put("skipped", "0");
        attributes.put("time", seconds(real));
        return attributes;
    }

    private void problem(String element, String message, String text) {
        open(element, Map.of("message", message));
        escape(text, false);
        xml.append("</").append(element).append(">\n");
    }

    private void open(String element, Map<String, String> attributes) {
        xml.append('<').append(element);
        attributes.forEach((name, value) -> {
            xml.append(' ').append(name).append("=\"");
            escape(value, true);
            xml.append('"');
        });
        xml.append('>');
    }

    private void escape(String text, boolean attribute) {
        text.codePoints().forEach(point -> {
            switch (point) {
                case '&' -> xml.append("&amp;");
                case '<' -> xml.append("&lt;");
                case '>' -> xml.append("&gt;");
                case '"' -> xml.append("&quot;");
                case '\n', '\t' -> {
                    if (attribute) {
                        xml.append("&#").append(point).append(';');
                    } else {
                        xml.append((char) point);
                    }
                }
                default -> xml.appendCodePoint(isXml(point) ? point : 0xFFFD);
            }
        });
    }

    private static boolean isXml(int point) {
        return (point >= 0x20 && point <= 0xD7FF)
                || (point >= 0xE000 && point <= 0xFFFD)
                || (point >= 0x10000 && point <= 0x10FFFF);
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.3f", duration.toNanos() / 1e9);
    }
}
