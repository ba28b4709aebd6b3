package dev.gannet.codegen;

/**
 * A request that cannot be processed; its message is one plain sentence for the person who ran
 * protoc.
 */
final class InvalidRequestException extends RuntimeException {
  private static final long serialVersionUID = 1;

  InvalidRequestException(String sentence) {
    super(sentence);
  }
}
