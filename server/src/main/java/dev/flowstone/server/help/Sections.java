package dev.flowstone.server.help;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A page with a section for each code: its heading is the code alone. The group is the last heading above that is none. */
final class Sections {
    private static final Pattern CODE = Pattern.compile("`([A-Z][A-Za-z0-9_-]*)`");
    private static final Pattern BOLD = Pattern.compile("\\*\\*(.+?)\\*\\*.*");
    private static final Pattern SENTENCE = Pattern.compile("(.+?[.;:])(?: .*)?");

    private final String mark;
    private final List<Explanation> found = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private Optional<String> code = Optional.empty();
    private String group = "";

    private Sections(String mark) {
        this.mark = mark;
    }

    /** @param mark with which the headings of sections begin */
    static List<Explanation> of(String page, String mark) {
        Sections sections = new Sections(mark);
        page.lines().forEach(sections::line);
        sections.end();
        return sections.found;
    }

    private void line(String line) {
        if (!line.startsWith("#")) {
            text.append(line).append('\n');
            return;
        }
        end();
        Matcher heading = CODE.matcher(line.substring(line.indexOf(' ') + 1));
        if (line.startsWith(mark) && heading.matches()) {
            code = Optional.of(heading.group(1));
        } else {
            group = line.substring(line.indexOf(' ') + 1);
        }
    }

    private void end() {
        String said = text.toString().strip();
        code.ifPresent(it -> found.add(new Explanation(it, group, brief(said), said)));
        code = Optional.empty();
        text.setLength(0);
    }

    /** What is bold, else the first sentence. */
    private static String brief(String said) {
        String first = said.lines().findFirst().orElse("");
        Matcher bold = BOLD.matcher(first);
        Matcher sentence = SENTENCE.matcher(first);
        String brief = bold.matches() ? bold.group(1) : sentence.matches() ? sentence.group(1) : first;
        return HelpText.plain(brief);
    }
}
