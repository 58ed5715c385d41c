package dev.flowstone.server.openapi;

import static java.util.Objects.requireNonNull;

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
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A page that shows the document, by Swagger UI. All of it comes from this server, so that it works where there is no network,
 * and its policy lets it load nothing else. It says nothing of any tenant.
 */
public final class DocsPage {
    private static final String ROOT = "/api/v1/docs";
    private static final String PAGE = "index.html";
    private static final String JAR = "/META-INF/resources/webjars/swagger-ui/";
    private static final String NAMED = "/META-INF/maven/org.webjars/swagger-ui/pom.properties";

    /** Scripts and styles of this server only; pictures may stand in the styles. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                    + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final Map<String, String> OWN = Map.of(PAGE, "text/html", "start.js", "text/javascript");
    private static final Map<String, String> OF_THE_JAR =
            Map.of("swagger-ui.css", "text/css", "swagger-ui-bundle.js", "text/javascript");

    private static final Doc SHOW = Doc.of("showDocument", Area.SYSTEM, "Shows this document as a page")
            .answersText("text/html", "The page.")
            .tagged(Doc.Version.CONTENT);

    private static final Doc ASSET = Doc.of("getPagePart", Area.SYSTEM, "Tells a part of that page")
            .path(Parameter.text("part", 100, "Its name."))
            .answersText("text/css", "A style sheet.")
            .answersText("text/javascript", "A script.")
            .tagged(Doc.Version.CONTENT)
            .refuses(ProblemCode.NOT_FOUND);

    private final Map<String, Reply> known = new ConcurrentHashMap<>();

    public List<Route> routes() {
        return List.of(
                Route.get(ROOT, Scope.PUBLIC, SHOW, _ -> part(PAGE)),
                Route.get(ROOT + "/{part}", Scope.PUBLIC, ASSET, this::asset));
    }

    private Reply asset(Call call) throws ProblemException {
        String name = call.variable("part");
        if (name.equals(PAGE) || !(OWN.containsKey(name) || OF_THE_JAR.containsKey(name))) {
            throw Problem.of(ProblemCode.NOT_FOUND, "the page has no part '" + Cut.text(name) + "'")
                    .exception();
        }
        return part(name);
    }

    private Reply part(String name) {
        return known.computeIfAbsent(name, DocsPage::read);
    }

    private static Reply read(String name) {
        boolean own = OWN.containsKey(name);
        byte[] bytes = bytes(own ? "page/" + name : JAR + version() + "/" + name);
        String type = requireNonNull((own ? OWN : OF_THE_JAR).get(name));
        Reply reply = Reply.bytes(type + "; charset=utf-8", bytes)
                .etag(Sha256.digest(bytes).toString().substring(0, 16));
        return name.equals(PAGE) ? reply.underPolicy(POLICY) : reply;
    }

    /** Of Swagger UI, as its jar says. */
    private static String version() {
        try (InputStream in = open(NAMED)) {
            Properties properties = new Properties();
            properties.load(in);
            return requireNonNull(properties.getProperty("version"));
        } catch (IOException e) {
            throw new IllegalStateException("the jar of Swagger UI can't be read", e);
        }
    }

    private static byte[] bytes(String resource) {
        try (InputStream in = open(resource)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException(resource + " can't be read", e);
        }
    }

    private static InputStream open(String resource) {
        InputStream in = DocsPage.class.getResourceAsStream(resource);
        if (in == null) {
            throw new IllegalStateException(resource + " is missing");
        }
        return in;
    }
}
