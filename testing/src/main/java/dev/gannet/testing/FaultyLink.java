package dev.gannet.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One connection over a network with faults: for each direction a thread that reads and one that
 * writes.
 */
final class FaultyLink {
  /** The payload of an Ethernet packet. */
  private static final int PACKET_BYTES = 1_460;

  /** The maximum number of packets in flight before the sender has to wait. */
  private static final int MAX_PACKETS = 1_024;

  private static final ThreadFactory THREADS =
      Thread.ofVirtual().name("gannet-testing-network").factory();

  private final FaultyNetwork network;
  private final Socket client;
  private final Socket server;
  private final Way up;
  private final Way down;
  private final AtomicInteger endedWays = new AtomicInteger();
  private volatile boolean halfOpen;

  FaultyLink(FaultyNetwork network, Socket client, Socket server, SplittableRandom random) {
    this.network = network;
    this.client = client;
    this.server = server;
    this.up = new Way(client, server, random.split());
    this.down = new Way(server, client, random.split());
  }

  void start() {
    up.start();
    down.start();
  }

  /** The connection is lost: both ends get a reset, and nothing waits any more. */
  void cut() {
    network.forget(this);
    reset(client);
    reset(server);
    up.stop();
    down.stop();
  }

  /** Stops forwarding; neither end is notified. */
  void halfOpen() {
    halfOpen = true;
  }

  /** The sockets are open until the second end has passed: they may be read until then. */
  private void onWayEnded() throws IOException {
    if (endedWays.incrementAndGet() == 2) {
      network.forget(this);
      client.close();
      server.close();
    }
  }

  private void onLoss(Socket of) {
    if (halfOpen) {
      reset(of);
    } else {
      cut();
    }
  }

  static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      // It was closed before.
    }
  }

  /** Bytes that are forwarded together; no bytes mean the end. */
  private record Packet(ByteBuffer bytes, long dueNanos, boolean isLast) {}

  private final class Way {
    private final Socket from;
    private final Socket to;
    private final SplittableRandom random;
    private final long cutAtBytes;
    private final BlockingQueue<Packet> underWay = new ArrayBlockingQueue<>(MAX_PACKETS);
    private final Thread reader = THREADS.newThread(this::read);
    private final Thread writer = THREADS.newThread(this::write);

    Way(Socket from, Socket to, SplittableRandom random) {
      this.from = from;
      this.to = to;
      this.random = random;
      FaultyNetwork.Faults faults = network.faults();
      this.cutAtBytes =
          faults.cutBeforeBytes() == 0
              ? Long.MAX_VALUE
              : random.nextLong(faults.cutBetweenBytes(), faults.cutBeforeBytes());
    }

    void start() {
      reader.start();
      writer.start();
    }

    void stop() {
      reader.interrupt();
      writer.interrupt();
    }

    /**
     * Creates packets of the same lengths however the bytes arrive, so that faults are repeatable.
     */
    private void read() {
      long read = 0;
      boolean late = drawLoss();
      try {
        InputStream in = from.getInputStream();
        while (read < cutAtBytes) {
          int room = PACKET_BYTES - (int) (read % PACKET_BYTES);
          byte[] bytes = new byte[(int) Math.min(room, cutAtBytes - read)];
          int length = in.read(bytes);
          if (length < 0) {
            underWay.put(new Packet(ByteBuffer.allocate(0), System.nanoTime(), false));
            return;
          }
          FaultyNetwork.Faults faults = network.faults();
          long takesNanos = faults.delayNanos() + (late ? faults.resendNanos() : 0);
          read += length;
          underWay.put(
              new Packet(
                  ByteBuffer.wrap(bytes, 0, length),
                  System.nanoTime() + takesNanos,
                  read == cutAtBytes));
          late = read % PACKET_BYTES == 0 && drawLoss(); // a packet is lost once
        }
      } catch (IOException e) {
        onLoss(from);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    /** Draws whether a packet is lost. */
    private boolean drawLoss() {
      return random.nextDouble(100) < network.faults().lossPercent();
    }

    private void write() {
      try {
        to.setTcpNoDelay(true);
        OutputStream out = to.getOutputStream();
        Packet packet = underWay.take();
        while (packet.bytes().hasRemaining() && network.awaitPassage(packet.dueNanos())) {
          pass(packet.bytes().array(), packet.bytes().remaining(), out);
          if (packet.isLast() && !halfOpen) {
            cut();
            return;
          }
          packet = underWay.take();
        }
        if (!halfOpen) {
          to.shutdownOutput();
          onWayEnded();
        }
      } catch (IOException e) {
        onLoss(to);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void pass(byte[] bytes, int length, OutputStream out) throws IOException {
      int slice = network.faults().sliceBytes();
      for (int begin = 0; begin < length && !halfOpen; ) {
        int piece = Math.min(slice, length - begin);
        out.write(bytes, begin, piece);
        begin += piece;
      }
    }
  }
}
