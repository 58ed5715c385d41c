package dev.flowstone.server.help;

import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * Markdown of the pages as HTML and as text. A link to another page becomes that page's name, since no server serves them; HTML in a text is
 * shown, not obeyed.
 */
public final class HelpText {
    private static final Parser PARSER = Parser.builder().build();
    private static final HtmlRenderer HTML =
            HtmlRenderer.builder().escapeHtml(true).sanitizeUrls(true).build();

    private HelpText() {}

    static String html(String markdown) {
        return HTML.render(parsed(markdown));
    }

    /** Paragraphs with an empty line between them. */
    public static String plain(String markdown) {
        Plain plain = new Plain();
        parsed(markdown).accept(plain);
        return plain.text.toString().strip();
    }

    /** Of one paragraph, without its element. */
    static String inline(String markdown) {
        return html(markdown).strip().replaceFirst("^<p>", "").replaceFirst("</p>$", "");
    }

    private static Node parsed(String markdown) {
        Node document = PARSER.parse(markdown);
        document.accept(new PagesByName());
        return document;
    }

    private static final class PagesByName extends AbstractVisitor {
        @Override
        public void visit(Link link) {
            String page = link.getDestination();
            Node child = link.getFirstChild();
            while (child != null) {
                Node next = child.getNext();
                link.insertBefore(child);
                child = next;
            }
            link.insertBefore(new Text(" (docs/" + page + ")"));
            link.unlink();
        }
    }

    private static final class Plain extends AbstractVisitor {
        private final StringBuilder text = new StringBuilder();

        @Override
        public void visit(Text node) {
            text.append(node.getLiteral());
        }

        @Override
        public void visit(Code node) {
            text.append('`').append(node.getLiteral()).append('`');
        }

        @Override
        public void visit(SoftLineBreak node) {
            text.append(' ');
        }

        @Override
        public void visit(HardLineBreak node) {
            text.append('\n');
        }

        @Override
        public void visit(Paragraph node) {
            visitChildren(node);
            text.append("\n\n");
        }
    }
}
