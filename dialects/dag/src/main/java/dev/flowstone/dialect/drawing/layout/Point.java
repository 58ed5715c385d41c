package dev.flowstone.dialect.drawing.layout;

/** A place in the drawing, in pixels from its upper left corner. */
public record Point(double x, double y) {}
