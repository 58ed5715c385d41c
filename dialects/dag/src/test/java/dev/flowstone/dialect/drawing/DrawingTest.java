package dev.flowstone.dialect.drawing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.program.Program;
import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TimeZone;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** Drawings of any program. */
final class DrawingTest {
    private static final RunOverlay RUN = new RunOverlay(
            Map.of(
                    new NodeId("n0"), NodeStatus.SUCCEEDED,
                    new NodeId("n1"), NodeStatus.FAILED,
                    new NodeId("n2"), NodeStatus.SKIPPED),
            Set.of(new EdgeId("n0->n1")));

    @Test
    void drawsEveryNodeAndEdgeAsWellFormedXml() throws IOException, SAXException, ParserConfigurationException {
        Program program = Programs.mesh(12, "trigger.a < 3 && \"x\" > '&'");

        Document svg = xml(drawn(Svg.of(program, Optional.empty())));

        assertEquals(13, count(svg, "g", "node "));
        assertEquals(program.edges().size(), count(svg, "path", "edge"));
        assertEquals(0, svg.getElementsByTagName("script").getLength());
    }

    @Test
    void drawsARunOverItsProgram() throws IOException, SAXException, ParserConfigurationException {
        String svg = drawn(Svg.of(Programs.mesh(5, ""), Optional.of(RUN)));

        Document document = xml(svg);
        assertEquals(1, count(document, "g", "node task succeeded"));
        assertEquals(1, count(document, "g", "node task failed"));
        assertEquals(1, count(document, "path", "edge taken"));
        for (String word : new String[] {"succeeded", "failed", "skipped", "not reached", "path taken"}) {
            assertTrue(svg.contains(">" + word + "</text>"), word);
        }
    }

    /** A fork has no edges to its branches; a drawing shows where they begin, and which of them began. */
    @Test
    void drawsALineFromAForkToEachOfItsBranches() throws IOException, SAXException, ParserConfigurationException {
        Program program = Programs.forked();
        RunOverlay run = new RunOverlay(Map.of(new NodeId("l"), NodeStatus.RUNNING), Set.of());

        String svg = drawn(Svg.of(program, Optional.of(run)));
        String mermaid = Mermaid.of(program, Optional.of(run));

        assertEquals(program.edges().size() + 2, count(xml(svg), "path", "edge"));
        assertEquals(1, count(xml(svg), "path", "edge taken"));
        assertTrue(svg.contains(">left</text>"), svg);
        assertTrue(mermaid.contains("-->|\"left\"|"), mermaid);
        assertTrue(mermaid.contains("-->|\"right\"|"), mermaid);
    }

    @Test
    void keepsHostileNamesText() throws IOException, SAXException, ParserConfigurationException {
        Program program =
                Programs.named("<script>alert(1)</script>", "x\"]; click n0 \"javascript:alert(1)\" \u202e\ud800");

        Document svg = xml(drawn(Svg.of(program, Optional.empty())));
        String mermaid = Mermaid.of(program, Optional.empty());

        assertEquals(0, svg.getElementsByTagName("script").getLength());
        assertFalse(mermaid.contains("click n0 \"javascript"), mermaid);
        assertFalse(mermaid.contains("<script>"), mermaid);
    }

    @Test
    void givesOneDrawingInEveryLocaleAndTimeZone() {
        Program program = Programs.mesh(20, "trigger.i");
        String before = drawn(Svg.of(program, Optional.of(RUN)));
        Locale locale = Locale.getDefault();
        TimeZone zone = TimeZone.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
            TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kathmandu"));

            assertEquals(before, drawn(Svg.of(Programs.mesh(20, "trigger.i"), Optional.of(RUN))));
        } finally {
            Locale.setDefault(locale);
            TimeZone.setDefault(zone);
        }
    }

    @Test
    void drawsAProgramWithCirclesAndLoops() throws IOException, SAXException, ParserConfigurationException {
        Program program = Programs.circle();

        Document svg = xml(drawn(Svg.of(program, Optional.empty())));

        assertEquals(program.edges().size(), count(svg, "path", "edge"));
    }

    @Test
    void drawsLargeProgramsQuicklyAndRefusesLargerOnesWithAnAlternative() {
        Duration quickly = Duration.ofSeconds(20);
        assertTimeout(quickly, () -> drawn(Svg.of(Programs.fan(1_000), Optional.empty())));
        assertTimeout(quickly, () -> drawn(Svg.of(Programs.chain(1_400), Optional.empty())));
        for (Program large : new Program[] {Programs.chain(10_000), Programs.fan(2_000), Programs.ladder(1_400)}) {
            Drawing.TooLarge refused = assertTimeout(
                    quickly, () -> assertInstanceOf(Drawing.TooLarge.class, Svg.of(large, Optional.empty())));
            assertTrue(refused.message().contains("1500 nodes"), refused.message());
            assertTrue(refused.message().contains("Mermaid"), refused.message());
        }
        assertEquals(
                10_001 + 10_000 + 6,
                Mermaid.of(Programs.chain(10_000), Optional.empty()).lines().count() + 1);
    }

    @Test
    void writesMermaidWithDashedFailuresAndTheRunsPath() {
        String mermaid = Mermaid.of(
                Programs.onFailure(),
                Optional.of(new RunOverlay(Map.of(new NodeId("a"), NodeStatus.FAILED), Set.of(new EdgeId("a->b")))));

        assertEquals("""
                ---
                title: "A \\"small\\" one"
                ---
                flowchart TD
                  n0(["start"])
                  n1["<b>a</b><br/><small>core.echo</small>"]
                  n2{{"<b>b</b><br/><small>wait 1 h 30 min</small>"}}
                  n0 --> n1
                  n1 -.->|"on failure · trigger.x #62; 1 #38;#38; #34;ü#34;"| n2
                  classDef failed fill:#fbdcdc,stroke:#c22f3d,color:#5c1219
                  class n1 failed
                  linkStyle 1 stroke-width:4px
                """, mermaid);
    }

    private static String drawn(Drawing drawing) {
        return assertInstanceOf(Drawing.Drawn.class, drawing).text();
    }

    private static int count(Document document, String tag, String classes) {
        int count = 0;
        NodeList elements = document.getElementsByTagName(tag);
        for (int i = 0; i < elements.getLength(); i++) {
            Node found = elements.item(i).getAttributes().getNamedItem("class");
            count += found != null && found.getNodeValue().startsWith(classes) ? 1 : 0;
        }
        return count;
    }

    private static Document xml(String text) throws IOException, SAXException, ParserConfigurationException {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(text)));
    }
}
