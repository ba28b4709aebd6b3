package dev.gannet.conformance.gauntlet.attack;

import dev.gannet.conformance.gauntlet.attack.AttackDescription.Fate;
import dev.gannet.conformance.gauntlet.wire.BlockWriter;
import dev.gannet.conformance.gauntlet.wire.Frames;
import dev.gannet.conformance.gauntlet.wire.Messages;
import dev.gannet.conformance.gauntlet.wire.RawConnection;
import dev.gannet.conformance.gauntlet.wire.Requests;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * Thousands of connections from as many addresses, each of which holds 18 KiB: less than a busy
 * client holds, and together more than the memory budget. Attackers whose connection is closed
 * reconnect, and those whose call is ended make another.
 */
enum SmallHolders implements Attack {
  /** None of their calls is ever served. */
  STRANGERS("many-small-holders"),
  /** Each has one call served first, and then sends one byte per second. */
  SERVED("served-small-holders");

  private static final int CONNECTIONS = 4_000;
  private static final int HEADER_BYTES = 7 << 10;
  private static final int PART_BYTES = 11 << 10;
  private static final int MESSAGE_BYTES = 60_000;

  private final String name;

  SmallHolders(String name) {
    this.name = name;
  }

  @Override
  public AttackDescription description() {
    return new AttackDescription(
        name,
        "RFC 9113 §10.5",
        Fate.BOUNDED,
        "closes those that do nothing but hold where memory is short, and nobody who is served");
  }

  /** Enough to open all connections within seconds. */
  @Override
  public long bytesPerSecond() {
    return 16 * BYTES_PER_SECOND;
  }

  @Override
  public void attack(Front front) throws IOException {
    Holders.keep(front, front.partOf(CONNECTIONS), new Holding(front, this));
  }

  private record Holding(Front front, SmallHolders kind) implements Holders.Kind {
    @Override
    public RawConnection connect(int number) throws IOException {
      return front.connectFrom(addressOf(number));
    }

    @Override
    public void hold(Holders.Holder holder) throws IOException {
      RawConnection connection = holder.connection();
      Requests requests = Requests.to(kind == SERVED ? Requests.UNARY : Requests.UPLOAD);
      if (kind == SERVED) {
        int served = holder.openStream();
        connection.send(Frames.headers(served, Frames.END_HEADERS, requests.next()));
        connection.send(Frames.data(served, Frames.END_STREAM, Messages.empty()));
      }
      BlockWriter more = new BlockWriter().unstored("note", "n".repeat(HEADER_BYTES));
      int held = holder.openStream();
      connection.send(Frames.headers(held, Frames.END_HEADERS, requests.nextWith(more)));
      connection.send(Frames.data(held, Frames.NONE, Messages.claiming(MESSAGE_BYTES)));
      connection.send(Frames.data(held, Frames.NONE, new byte[PART_BYTES]));
    }

    /** Sends one byte if the variant does so. */
    @Override
    public void goOn(Holders.Holder holder) throws IOException {
      if (kind == SERVED) {
        holder.connection().send(Frames.data(holder.lastStream(), Frames.NONE, (byte) 0));
      }
    }
  }

  /** One of the loopback addresses of this machine, of which Linux has as many as needed. */
  private static InetSocketAddress addressOf(int number) throws IOException {
    byte[] octets = {127, 1, (byte) (number / 250), (byte) (1 + number % 250)};
    boolean many = System.getProperty("os.name").startsWith("Linux");
    InetAddress here = many ? InetAddress.getByAddress(octets) : InetAddress.getLoopbackAddress();
    return new InetSocketAddress(here, 0);
  }
}
