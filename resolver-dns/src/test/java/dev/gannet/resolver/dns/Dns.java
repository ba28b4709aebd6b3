package dev.gannet.resolver.dns;

import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a test's server says: the octets of answers (RFC 1035 §4.1). */
final class Dns {
  static final int A = 1;
  static final int CNAME = 5;
  static final int SOA = 6;
  static final int TXT = 16;
  static final int AAAA = 28;

  static final int NO_ERROR = 0;
  static final int SERVFAIL = 2;
  static final int NXDOMAIN = 3;
  static final int REFUSED = 5;

  private static final int QUERY_HEAD = 12;
  private static final int TRUNCATED = 0x0200;
  private static final int RESPONSE = 0x8180;
  private static final int IN = 1;

  private Dns() {}

  /** What is asked. */
  record Question(int id, String name, int type, ByteBuffer wire) {
    String key() {
      return key(name, type);
    }

    static String key(String name, int type) {
      return name.toLowerCase(Locale.ROOT) + " " + type;
    }

    static Question of(byte[] query) {
      ByteBuffer from = ByteBuffer.wrap(query);
      int id = from.getShort() & 0xffff;
      from.position(QUERY_HEAD);
      StringBuilder name = new StringBuilder();
      for (int length = from.get(); length > 0; length = from.get()) {
        byte[] label = new byte[length];
        from.get(label);
        name.append(name.isEmpty() ? "" : ".").append(new String(label, StandardCharsets.US_ASCII));
      }
      int type = from.getShort();
      from.getShort();
      ByteBuffer wire = from.slice(QUERY_HEAD, from.position() - QUERY_HEAD);
      return new Question(id, name.toString(), type, wire);
    }
  }

  /** A record of an answer. */
  record Entry(String name, int type, long ttl, ByteBuffer data) {}

  /** An answer: records, a code, and whether UDP gets all of it. */
  record Answer(int code, List<Entry> entries, List<Entry> authority, boolean truncated) {
    static Answer of(Entry... entries) {
      return new Answer(NO_ERROR, List.of(entries), List.of(), false);
    }

    static Answer code(int code) {
      return new Answer(code, List.of(), List.of(), false);
    }

    Answer withSoa() {
      return new Answer(
          code, entries, List.of(new Entry("test", SOA, 60, ByteBuffer.allocate(22))), truncated);
    }

    Answer onlyByTcp() {
      return new Answer(code, entries, authority, true);
    }

    byte[] toUdp(Question question) {
      return truncated
          ? write(question, RESPONSE | TRUNCATED, List.of(), List.of())
          : toTcp(question);
    }

    byte[] toTcp(Question question) {
      return write(question, RESPONSE | code, entries, authority);
    }

    private static byte[] write(
        Question question, int flags, List<Entry> entries, List<Entry> authority) {
      ByteArrayOutputStream to = new ByteArrayOutputStream();
      putShorts(to, question.id(), flags, 1, entries.size(), authority.size(), 0);
      put(to, question.wire());
      List<Entry> all = new ArrayList<>(entries);
      all.addAll(authority);
      for (Entry entry : all) {
        to.writeBytes(name(entry.name()));
        putShorts(to, entry.type(), IN, (int) (entry.ttl() >>> 16), (int) entry.ttl());
        putShorts(to, entry.data().remaining());
        put(to, entry.data());
      }
      return to.toByteArray();
    }
  }

  private static void put(ByteArrayOutputStream to, ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(bytes.position(), copy);
    to.writeBytes(copy);
  }

  private static void putShorts(ByteArrayOutputStream to, int... values) {
    for (int value : values) {
      to.write(value >>> 8);
      to.write(value);
    }
  }

  private static byte[] name(String name) {
    ByteArrayOutputStream to = new ByteArrayOutputStream();
    for (String label : name.split("\\.", -1)) {
      to.write(label.length());
      to.writeBytes(label.getBytes(StandardCharsets.US_ASCII));
    }
    to.write(0);
    return to.toByteArray();
  }

  /** An A or AAAA record. */
  static Entry address(String name, long ttl, String address) {
    try {
      byte[] data = InetAddress.getByName(address).getAddress();
      return new Entry(name, data.length == 4 ? A : AAAA, ttl, ByteBuffer.wrap(data));
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(address, e);
    }
  }

  static Entry cname(String name, long ttl, String target) {
    return new Entry(name, CNAME, ttl, ByteBuffer.wrap(name(target)));
  }

  /** A text, cut into strings of at most 255 octets. */
  static Entry txt(String name, long ttl, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream to = new ByteArrayOutputStream();
    for (int from = 0; from < bytes.length; from += 255) {
      int length = Math.min(255, bytes.length - from);
      to.write(length);
      to.write(bytes, from, length);
    }
    return new Entry(name, TXT, ttl, ByteBuffer.wrap(to.toByteArray()));
  }
}
