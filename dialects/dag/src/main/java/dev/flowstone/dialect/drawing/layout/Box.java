package dev.flowstone.dialect.drawing.layout;

/** A node's size, in pixels. */
public record Box(double width, double height) {}
