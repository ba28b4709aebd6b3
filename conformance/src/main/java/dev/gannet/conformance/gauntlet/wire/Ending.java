package dev.gannet.conformance.gauntlet.wire;

/** How the server ended a connection. */
public sealed interface Ending {
  /** With GOAWAY. */
  record GoAway(int code, String text) implements Ending {
    private static final String[] NAMES = {
      "NO_ERROR",
      "PROTOCOL_ERROR",
      "INTERNAL_ERROR",
      "FLOW_CONTROL_ERROR",
      "SETTINGS_TIMEOUT",
      "STREAM_CLOSED",
      "FRAME_SIZE_ERROR",
      "REFUSED_STREAM",
      "CANCEL",
      "COMPRESSION_ERROR",
      "CONNECT_ERROR",
      "ENHANCE_YOUR_CALM",
      "INADEQUATE_SECURITY",
      "HTTP_1_1_REQUIRED"
    };

    @Override
    public String toString() {
      String name = code >= 0 && code < NAMES.length ? NAMES[code] : "code " + code;
      return text.isEmpty() ? name : name + ": " + text;
    }
  }

  /** Without a frame that says why. */
  record Dropped() implements Ending {
    @Override
    public String toString() {
      return "closed without GOAWAY";
    }
  }

  /** Before it began: the connection was not accepted. */
  record Refused() implements Ending {
    @Override
    public String toString() {
      return "connection refused";
    }
  }
}
