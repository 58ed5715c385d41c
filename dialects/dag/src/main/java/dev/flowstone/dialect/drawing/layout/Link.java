package dev.flowstone.dialect.drawing.layout;

/**
 * An edge between two boxes, by their indexes.
 *
 * @param labelWidth room to keep free for a label, in pixels; 0 if there is none
 */
public record Link(int from, int to, double labelWidth) {
    boolean labelled() {
        return labelWidth > 0;
    }
}
