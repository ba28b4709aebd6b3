package dev.gannet.protocol;

import dev.gannet.api.Metadata;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A server's load report: {@code xds.data.orca.v3.OrcaLoadReport} (gRFC A51), as it is sent in the
 * trailer {@code endpoint-load-metrics-bin}. Immutable; a missing value is 0.
 *
 * @param cpuUtilization field 1
 * @param memoryUtilization field 2
 * @param applicationUtilization field 9
 * @param queriesPerSecond field 6; the integer of field 3 is obsolete and not read
 * @param errorsPerSecond field 7
 * @param requestCost field 4
 * @param utilization field 5
 * @param namedMetrics field 8
 */
public record OrcaReport(
    double cpuUtilization,
    double memoryUtilization,
    double applicationUtilization,
    double queriesPerSecond,
    double errorsPerSecond,
    Map<String, Double> requestCost,
    Map<String, Double> utilization,
    Map<String, Double> namedMetrics) {
  /** The trailer. */
  public static final Metadata.Key<byte[]> TRAILER =
      Metadata.Key.binary("endpoint-load-metrics-bin");

  /**
   * A longer report, or one with more entries, is not read: reading costs time in each call of its
   * server.
   */
  private static final int MAX_BYTES = 64 << 10;

  private static final int MAX_ENTRIES = 1_000;

  private static final int CPU = 1;
  private static final int MEMORY = 2;
  private static final int REQUEST_COST = 4;
  private static final int UTILIZATION = 5;
  private static final int QUERIES = 6;
  private static final int ERRORS = 7;
  private static final int NAMED_METRICS = 8;
  private static final int APPLICATION = 9;

  /** All maps are copied. */
  public OrcaReport {
    requestCost = Collections.unmodifiableMap(new LinkedHashMap<>(requestCost));
    utilization = Collections.unmodifiableMap(new LinkedHashMap<>(utilization));
    namedMetrics = Collections.unmodifiableMap(new LinkedHashMap<>(namedMetrics));
  }

  /** The report in that trailer; empty if it is malformed or too long. */
  public static Optional<OrcaReport> parse(byte[] bytes) {
    if (bytes.length > MAX_BYTES) {
      return Optional.empty();
    }
    Reader reader = new Reader();
    try {
      reader.read(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
    } catch (WireFields.Malformed e) {
      return Optional.empty();
    }
    return Optional.of(reader.report());
  }

  /** The report as bytes of that trailer. */
  public byte[] toBytes() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    WireFields.writeDouble(out, CPU, cpuUtilization);
    WireFields.writeDouble(out, MEMORY, memoryUtilization);
    writeEntries(out, REQUEST_COST, requestCost);
    writeEntries(out, UTILIZATION, utilization);
    WireFields.writeDouble(out, QUERIES, queriesPerSecond);
    WireFields.writeDouble(out, ERRORS, errorsPerSecond);
    writeEntries(out, NAMED_METRICS, namedMetrics);
    WireFields.writeDouble(out, APPLICATION, applicationUtilization);
    return out.toByteArray();
  }

  private static void writeEntries(
      ByteArrayOutputStream out, int field, Map<String, Double> entries) {
    entries.forEach((name, value) -> {
      ByteArrayOutputStream entry = new ByteArrayOutputStream();
      WireFields.writeBytes(entry, 1, name.getBytes(StandardCharsets.UTF_8));
      WireFields.writeDouble(entry, 2, value);
      WireFields.writeBytes(out, field, entry.toByteArray());
    });
  }

  /** Parses a report. Unknown fields are skipped. */
  private static final class Reader {
    private final double[] numbers = new double[APPLICATION + 1];
    private final Map<String, Double> requestCost = new LinkedHashMap<>();
    private final Map<String, Double> utilization = new LinkedHashMap<>();
    private final Map<String, Double> namedMetrics = new LinkedHashMap<>();
    private int entries;

    void read(ByteBuffer in) throws WireFields.Malformed {
      while (in.hasRemaining()) {
        long tag = WireFields.varint(in);
        long field = WireFields.fieldOf(tag);
        int type = WireFields.typeOf(tag);
        if (type == WireFields.FIXED64 && field >= CPU && field <= APPLICATION) {
          numbers[(int) field] = WireFields.taken(in, Double.BYTES).getDouble();
        } else if (type == WireFields.BYTES && isMap(field)) {
          readEntry(WireFields.taken(in, WireFields.varint(in)), mapOf((int) field));
        } else {
          WireFields.pass(in, type);
        }
      }
    }

    private static boolean isMap(long field) {
      return field == REQUEST_COST || field == UTILIZATION || field == NAMED_METRICS;
    }

    private Map<String, Double> mapOf(int field) {
      return switch (field) {
        case REQUEST_COST -> requestCost;
        case UTILIZATION -> utilization;
        default -> namedMetrics;
      };
    }

    private void readEntry(ByteBuffer in, Map<String, Double> map) throws WireFields.Malformed {
      if (++entries > MAX_ENTRIES) {
        throw new WireFields.Malformed();
      }
      String name = "";
      double value = 0;
      while (in.hasRemaining()) {
        long tag = WireFields.varint(in);
        if (tag == ((1 << 3) | WireFields.BYTES)) {
          name =
              StandardCharsets.UTF_8.decode(WireFields.taken(in, WireFields.varint(in))).toString();
        } else if (tag == ((2 << 3) | WireFields.FIXED64)) {
          value = WireFields.taken(in, Double.BYTES).getDouble();
        } else {
          WireFields.pass(in, WireFields.typeOf(tag));
        }
      }
      map.put(name, value);
    }

    OrcaReport report() {
      return new OrcaReport(
          numbers[CPU],
          numbers[MEMORY],
          numbers[APPLICATION],
          numbers[QUERIES],
          numbers[ERRORS],
          requestCost,
          utilization,
          namedMetrics);
    }
  }
}
