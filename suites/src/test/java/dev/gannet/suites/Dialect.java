package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import java.util.ArrayList;
import java.util.List;

/** How a client of each protocol asks, and understands what it hears. */
enum Dialect {
  GRPC("application/grpc", "grpc-timeout") {
    @Override
    String content(String message) {
      int length = message.length();
      return "\0"
          + octet(length >>> 24)
          + octet(length >>> 16)
          + octet(length >>> 8)
          + octet(length)
          + message;
    }

    @Override
    String message(RawPeer.Heard heard) {
      return heard.content.isEmpty() ? "" : heard.content.substring(5);
    }

    @Override
    Status.Code code(RawPeer.Heard heard) {
      return Status.Code.of(Integer.parseInt(heard.field("grpc-status")));
    }

    @Override
    String words(RawPeer.Heard heard) {
      return heard.field("grpc-message");
    }

    @Override
    String timeout(long millis) {
      return millis + "m";
    }

    @Override
    List<String> begins(String path) {
      return List.of(":path", path, "content-type", contentType);
    }
  },

  ONE_MESSAGE(OneMessageProtocol.CONTENT_TYPE, OneMessageProtocol.TIMEOUT) {
    @Override
    String content(String message) {
      return message;
    }

    @Override
    String message(RawPeer.Heard heard) {
      return heard.content.toString();
    }

    @Override
    Status.Code code(RawPeer.Heard heard) {
      return Status.Code.valueOf(heard.field(OneMessageProtocol.STATUS));
    }

    @Override
    String words(RawPeer.Heard heard) {
      return heard.field(OneMessageProtocol.DESCRIPTION);
    }

    @Override
    String timeout(long millis) {
      return Long.toString(millis);
    }

    @Override
    List<String> begins(String path) {
      String name = path.substring(path.lastIndexOf('/') + 1);
      return List.of(":path", OneMessageProtocol.PATHS + name, OneMessageProtocol.MARK, "1");
    }
  },

  /** The same with the second format of messages. */
  QUOTED(OneMessageProtocol.CONTENT_TYPE, OneMessageProtocol.TIMEOUT) {
    @Override
    String content(String message) {
      return '"' + message + '"';
    }

    @Override
    String message(RawPeer.Heard heard) {
      String content = heard.content.toString();
      if (content.isEmpty()) {
        return "";
      }
      assertThat(content).startsWith("\"").endsWith("\"").hasSizeGreaterThan(1);
      return content.substring(1, content.length() - 1);
    }

    @Override
    Status.Code code(RawPeer.Heard heard) {
      return ONE_MESSAGE.code(heard);
    }

    @Override
    String words(RawPeer.Heard heard) {
      return ONE_MESSAGE.words(heard);
    }

    @Override
    String timeout(long millis) {
      return ONE_MESSAGE.timeout(millis);
    }

    @Override
    List<String> begins(String path) {
      List<String> fields = new ArrayList<>(ONE_MESSAGE.begins(path));
      fields.addAll(List.of(OneMessageProtocol.FORMAT, OneMessageProtocol.QUOTED));
      return fields;
    }
  };

  final String contentType;
  private final String timeoutName;

  Dialect(String contentType, String timeoutName) {
    this.contentType = contentType;
    this.timeoutName = timeoutName;
  }

  private static char octet(int value) {
    return (char) (value & 0xff);
  }

  /** The fields of a request, and further ones. */
  String[] head(String path, String... more) {
    List<String> fields = new ArrayList<>();
    fields.addAll(List.of(":method", "POST", ":scheme", "http"));
    fields.addAll(begins(path));
    fields.addAll(List.of("te", "trailers"));
    fields.addAll(List.of(more));
    return fields.toArray(String[]::new);
  }

  String[] within(long millis) {
    return withTimeout(timeout(millis));
  }

  /** A timeout as it stands in the request, possibly malformed. */
  String[] withTimeout(String value) {
    return new String[] {timeoutName, value};
  }

  /** The path of a method and what marks a request as one of this protocol. */
  abstract List<String> begins(String path);

  abstract String content(String message);

  abstract String message(RawPeer.Heard heard);

  abstract Status.Code code(RawPeer.Heard heard);

  abstract String words(RawPeer.Heard heard);

  abstract String timeout(long millis);
}
