package dev.flowstone.server.help;

import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.server.http.Area;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Cut;
import dev.flowstone.server.http.Doc;
import dev.flowstone.server.http.Parameter;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * A page for each code, to which every problem leads, and one that lists them: HTML of its own, without script, picture or network, under
 * the policy of every answer. It says nothing of any tenant.
 */
public final class HelpPages {
    private static final String ROOT = "/api/v1/problems";
    private static final int LONGEST_CODE = 100;

    private static final Doc LIST = Doc.of("listProblems", Area.SYSTEM, "Shows every code that there is, as a page")
            .answersText("text/html", "The page.")
            .tagged(Doc.Version.CONTENT);

    private static final Doc EXPLAIN = Doc.of("explainProblem", Area.SYSTEM, "Shows what a code means, as a page")
            .path(Parameter.text("code", LONGEST_CODE, "Such as `WFENG005`, which each problem names in `code`."))
            .answersText("text/html", "The page.")
            .tagged(Doc.Version.CONTENT)
            .refuses(ProblemCode.NOT_FOUND);

    private final Map<String, Reply> known = new ConcurrentHashMap<>();

    public List<Route> routes() {
        return List.of(
                Route.get(ROOT, Scope.PUBLIC, LIST, _ -> known.computeIfAbsent("", _ -> list())),
                Route.get(ROOT + "/{code}", Scope.PUBLIC, EXPLAIN, this::explain));
    }

    private Reply explain(Call call) throws ProblemException {
        String code = call.variable("code");
        List<Explanation> said = Explanations.known().of(code);
        if (said.isEmpty()) {
            throw Problem.of(ProblemCode.NOT_FOUND, unknown(code)).exception();
        }
        // The code is a known one, or of a bounded family: what is kept stays small.
        return known.computeIfAbsent(
                code, it -> page(it, "<p><a href=\"" + ROOT + "\">All codes</a></p>\n" + texts(said)));
    }

    private static String unknown(String code) {
        return "no code is called '" + Cut.text(code) + "'"
                + Explanations.known()
                        .nearest(code)
                        .map(near -> "; did you mean '" + near + "'?")
                        .orElse("")
                + " GET " + ROOT + " lists them";
    }

    private static String texts(List<Explanation> said) {
        return said.stream()
                .map(it -> (said.size() == 1 ? "" : "<h2>" + it.group() + "</h2>\n") + HelpText.html(it.text()))
                .collect(Collectors.joining());
    }

    private static Reply list() {
        StringBuilder html = new StringBuilder();
        String group = "";
        for (Explanation each : Explanations.known().all()) {
            if (!each.group().equals(group)) {
                group = each.group();
                html.append("<h2>").append(group).append("</h2>\n");
            }
            String code = each.code();
            html.append("<p><a href=\"%s/%s\"><code>%s</code></a> %s</p>\n"
                    .formatted(ROOT, code, code, HelpText.inline(each.brief())));
        }
        return page("Errors", html.toString());
    }

    /** Titles and groups are our own words, and have nothing that HTML reads. */
    private static Reply page(String title, String body) {
        byte[] html = """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <title>%s · Flowstone</title>
                <style>body { font: 1rem/1.5 sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem }</style>
                </head>
                <body>
                <h1>%s</h1>
                %s</body>
                </html>
                """.formatted(title, title, body).getBytes(StandardCharsets.UTF_8);
        return Reply.bytes("text/html; charset=utf-8", html)
                .etag(Sha256.digest(html).toString().substring(0, 16));
    }
}
