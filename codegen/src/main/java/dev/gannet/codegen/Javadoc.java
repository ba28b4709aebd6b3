package dev.gannet.codegen;

import java.util.ArrayList;
import java.util.List;

/** The Javadoc of one declaration while it is built. Each change returns a new object. */
record Javadoc(List<Piece> pieces) {
  private static final int COLUMNS = 100;
  private static final String MARGIN = " * ";

  /** A part of a Javadoc comment, in HTML. */
  private sealed interface Piece {
    record Paragraph(String html) implements Piece {}

    record Preformatted(List<String> htmlLines) implements Piece {}

    record Tag(String html) implements Piece {}
  }

  /** The escaped comment of a {@code .proto} file; the given HTML if there is none. */
  static Javadoc of(String comment, String otherwise) {
    List<Piece> pieces = new ArrayList<>();
    for (CommentBlock block : CommentBlock.parse(comment)) {
      pieces.add(
          switch (block) {
            case CommentBlock.Paragraph(String text) -> new Piece.Paragraph(html(text));
            case CommentBlock.Preformatted(List<String> lines) ->
                new Piece.Preformatted(lines.stream().map(Javadoc::html).toList());
          });
    }
    return new Javadoc(pieces.isEmpty() ? List.of(new Piece.Paragraph(otherwise)) : pieces);
  }

  /** Adds a paragraph of the plug-in's own. */
  Javadoc paragraph(String html) {
    return with(new Piece.Paragraph(html));
  }

  /** Adds the tag that belongs to {@code @Deprecated}, if that is present. */
  Javadoc deprecatedIf(boolean deprecated) {
    return deprecated ? with(new Piece.Tag("@deprecated The {@code .proto} file says so.")) : this;
  }

  /**
   * The whole comment, with its slashes and stars.
   *
   * @param indentColumns how far it will be indented
   */
  String render(int indentColumns) {
    int widthColumns = COLUMNS - indentColumns - MARGIN.length();
    List<String> lines = new ArrayList<>();
    for (Piece piece : pieces) {
      if (!lines.isEmpty()) {
        lines.add("");
      }
      lines.addAll(lines(piece, lines.isEmpty(), widthColumns));
    }
    if (lines.size() == 1 && lines.get(0).length() <= widthColumns - "/** */".length()) {
      return "/** " + lines.get(0) + " */";
    }
    StringBuilder text = new StringBuilder("/**\n");
    lines.forEach(line -> text.append((MARGIN + line).stripTrailing()).append('\n'));
    return text.append(" */").toString();
  }

  private static List<String> lines(Piece piece, boolean first, int widthColumns) {
    return switch (piece) {
      case Piece.Paragraph(String html) -> wrap(first ? html : "<p>" + html, widthColumns);
      case Piece.Tag(String html) -> wrap(html, widthColumns);
      case Piece.Preformatted(List<String> htmlLines) -> {
        List<String> lines = new ArrayList<>(htmlLines);
        lines.add(0, "<pre>");
        lines.add("</pre>");
        yield lines;
      }
    };
  }

  private static List<String> wrap(String text, int widthColumns) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" +", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > widthColumns) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }

  /** Text as HTML that can neither end the comment nor begin a tag or a Unicode escape of Java. */
  private static String html(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("@", "&#64;")
        .replace("\\", "&#92;")
        .replace("*/", "*&#47;");
  }

  private Javadoc with(Piece piece) {
    List<Piece> more = new ArrayList<>(pieces);
    more.add(piece);
    return new Javadoc(more);
  }
}
