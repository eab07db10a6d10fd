package io.clusterwright.mpi.internal.data;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** A YAML file of this module that holds a list of rows. */
public final class DataFile {
    private DataFile() {}

    /** The rows of a file that lies beside a class. */
    public static List<DataRow> read(Class<?> beside, String name) {
        try (InputStream in = beside.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("resource " + name + " is missing from this module");
            }
            List<DataRow> rows = new ArrayList<>();
            for (JsonNode row : new ObjectMapper(new YAMLFactory()).readTree(in)) {
                rows.add(new DataRow(row));
            }
            return List.copyOf(rows);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
